import { useQuery } from '@tanstack/react-query'
import { FileTrigger } from 'react-aria-components'
import { fileImports } from '../../api/file-imports.ts'
import { useHasScope } from '../../api/session.ts'
import { bytes, timeAgo } from '../../evidence/format.ts'
import { importFiles } from '../../shell/FileDrop.tsx'
import { Button } from '../../ui/Button.tsx'
import { Calibration, FileImportResult, StatusBadge } from '../../ui/FileImports.tsx'
import { Empty, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'
import { ShownTogether } from '../../ui/ShownTogether.tsx'
import { NeedsScope } from './NeedsScope.tsx'

/** Files of the account: choose some, the newest imports, and the calibration by own sales. */
export function FilesTab() {
  const mayWrite = useHasScope('content:write')
  const query = useQuery(fileImports)
  return (
    <ShownTogether skeleton={<Skeleton height={480} />}>
      <Panel
        title="Import files"
        note="Drop files on any page, or choose them here. You see a preview before anything is imported."
      >
        {mayWrite ? (
          <div className="stack gap-2">
            <FileTrigger allowsMultiple onSelect={(files) => importFiles([...(files ?? [])])}>
              <div className="row">
                <Button look="primary">Choose files…</Button>
              </div>
            </FileTrigger>
            <p className="quiet small">
              Exports of other tools: charts, app details, search results, keyword ranks, your sales, posts,
              ads, keywords, competitors, listing texts and saved items
              {query.data &&
                `; up to ${bytes(query.data.largestFile)} each, plain or packed with gzip, zstd or xz`}
              .
            </p>
          </div>
        ) : (
          <NeedsScope />
        )}
      </Panel>
      <Panel title="Imported files" note="Newest imports of this account" flush>
        <Loaded query={query} skeleton={<Skeleton height={160} />}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No files imported yet">Imports are listed here with their result.</Empty>
            ) : (
              <ul className="ruled pad-rows" aria-label="Imported files">
                {items.map((run) => (
                  <li key={run.importId} style={{ padding: 'var(--space-2) var(--space-4)' }}>
                    <details>
                      <summary>
                        <span className="line wrap gap-3">
                          <strong className="anywhere">
                            <bdi>{run.name}</bdi>
                          </strong>
                          <span className="quiet">
                            <bdi>{run.of}</bdi>, {bytes(run.bytes)}
                          </span>
                          <StatusBadge status={run.status} />
                          <time dateTime={run.createdAt} className="quiet">
                            {timeAgo(run.createdAt)}
                          </time>
                        </span>
                      </summary>
                      <FileImportResult run={run} />
                    </details>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
      <Panel
        title="Calibrate estimates with your sales"
        note="After importing your sales, such as daily reports of App Store Connect"
      >
        {mayWrite ? <Calibration /> : <NeedsScope />}
      </Panel>
    </ShownTogether>
  )
}
