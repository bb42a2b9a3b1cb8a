import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { chartKinds } from '../../src/vocabulary/chart-kinds.ts'
import {
  type FileKind,
  type FilePreview,
  fileImports,
  fileKinds,
  importFile,
  isGoingOn,
  previewFile,
  type SaidOfFile,
} from '../api/file-imports.ts'
import { useHasScope } from '../api/session.ts'
import { bytes, count, countWithNoun, spanText } from '../evidence/format.ts'
import { storefronts } from '../evidence/storefronts.ts'
import { chartInWords, fileKindInWords } from '../evidence/words.ts'
import { Button } from '../ui/Button.tsx'
import { CategoryChoice } from '../ui/CategoryChoice.tsx'
import { Calibration, FileImportResult } from '../ui/FileImports.tsx'
import { Choice, DayField, Select, TextField } from '../ui/fields.tsx'
import { Dialog } from '../ui/overlays.tsx'
import { Problem, Skeleton } from '../ui/parts.tsx'

/** What dropped or chosen files hold, one after the other, and their import. An import that has begun goes on when this is closed. */
export default function ImportFiles({ files, onClose }: { files: readonly File[]; onClose: () => void }) {
  const [at, setAt] = useState(0)
  const mayWrite = useHasScope('content:write')
  const file = files[at]
  const isLast = at === files.length - 1
  const title = files.length > 1 ? `Import file ${at + 1} of ${files.length}` : 'Import a file'
  return (
    <Dialog title={title} open onOpenChange={(open) => !open && onClose()} wide>
      {!mayWrite ? (
        <p>Your key is read-only. Importing needs a key with the scope content:write.</p>
      ) : (
        file && (
          <OneFile
            key={at}
            file={file}
            leave={{ name: isLast ? 'Close' : 'Next file', act: isLast ? onClose : () => setAt(at + 1) }}
          />
        )
      )}
    </Dialog>
  )
}

function OneFile({ file, leave }: { file: File; leave: { name: string; act: () => void } }) {
  const [said, setSaid] = useState<SaidOfFile>({})
  const preview = useMutation({ mutationFn: (said: SaidOfFile) => previewFile(file, said) })
  const { mutate: look } = preview
  const start = useMutation({ mutationFn: (said: SaidOfFile) => importFile(file, said) })
  const queries = useQueryClient()
  const imports = useQuery(fileImports)
  const largest = imports.data?.largestFile
  const isTooLarge = largest !== undefined && file.size > largest
  const mayRead = largest !== undefined && !isTooLarge
  useEffect(() => {
    if (mayRead) look({})
  }, [mayRead, look])
  const begun = start.data
  const run = begun && (imports.data?.items.find(({ importId }) => importId === begun.importId) ?? begun)
  const isOver = run !== undefined && !isGoingOn(run)
  useEffect(() => {
    if (begun) void queries.invalidateQueries({ queryKey: fileImports.queryKey })
  }, [begun, queries])
  useEffect(() => {
    // Everything that is shown may rest on what came in.
    if (isOver) void queries.invalidateQueries()
  }, [isOver, queries])
  const shown = preview.data
  const hasChanged = JSON.stringify(preview.variables) !== JSON.stringify(said)
  const kind = shown?.kind ?? said.kind
  return (
    <>
      <p className="row gap-2">
        <strong className="anywhere">
          <bdi>{file.name}</bdi>
        </strong>
        <span className="quiet">{bytes(file.size)}</span>
      </p>
      {isTooLarge && (
        <p role="alert">
          Larger than the upload limit of {bytes(largest)}. For files of any size, use the command{' '}
          <code>rivalscope import FILE</code>
        </p>
      )}
      {!isTooLarge && !shown && !preview.error && !imports.error && <Skeleton height={90} />}
      {imports.error && <Problem error={imports.error} retry={() => void imports.refetch()} />}
      {preview.error && <Problem error={preview.error} retry={() => look(said)} />}
      {shown && !run && (
        <>
          <WhatItIs preview={shown} />
          {(kind || shown.why || shown.couldBe.length > 0) && (
            <WhatItDoesNotTell
              preview={shown}
              kind={kind as FileKind | undefined}
              said={said}
              change={setSaid}
            />
          )}
        </>
      )}
      {start.error && <Problem error={start.error} retry={() => start.mutate(said)} />}
      {run && <FileImportResult run={run} />}
      {isOver && run.kind === 'sales' && run.imports.some(({ stored }) => stored > 0) && <Calibration />}
      <div className="row to-end">
        {shown && !run && hasChanged && (
          <Button isPending={preview.isPending} onPress={() => look(said)}>
            Preview again
          </Button>
        )}
        {shown && !run && (
          <Button
            look="primary"
            isPending={start.isPending}
            isDisabled={!shown.importable || shown.refusal !== null || hasChanged || preview.isPending}
            onPress={() => start.mutate(said)}
          >
            {shown.importable && shown.found
              ? `Import ${countWithNoun(shown.found.records - shown.found.refused, 'record')}`
              : 'Import'}
          </Button>
        )}
        <Button onPress={leave.act}>
          {run || isTooLarge ? leave.name : leave.name === 'Close' ? 'Cancel' : 'Skip'}
        </Button>
      </div>
    </>
  )
}

/** What a file was taken for, what reading it found, and what is refused of it. */
function WhatItIs({ preview }: { preview: FilePreview }) {
  const { kind, kinds, of, why, couldBe, found, unread, refusal } = preview
  const days = found?.firstDay && spanText(found.firstDay, found.lastDay ?? found.firstDay)
  const fields = Object.entries(found?.unreadable ?? {}).map(
    ([field, of]) => `${field} in ${countWithNoun(of, 'record')}`,
  )
  return (
    <section aria-label="Preview" className="stack gap-2">
      {kind ? (
        <p>
          <strong>{kinds.map((one) => fileKindInWords[one]).join(' and ')}</strong>: <bdi>{of}</bdi>
        </p>
      ) : couldBe.length > 0 ? (
        <p>
          Could be {couldBe.map(({ kind, of }) => `${fileKindInWords[kind]} (${of})`).join(' or ')}. Choose one
          below.
        </p>
      ) : (
        <p>
          <strong>Not recognised:</strong> <bdi>{why}</bdi>.
        </p>
      )}
      {found && (
        <p>
          {countWithNoun(found.records, 'record')}
          {found.apps > 0 && ` of ${countWithNoun(found.apps, 'app')}`}
          {days && `, ${days}`}
          {found.records > 0 && found.refused === 0 && ', none rejected'}
        </p>
      )}
      {found?.firstRefusal && (
        <p className="warn anywhere">
          {found.refused === found.records ? 'All rejected' : `${count(found.refused)} rejected`}. First:{' '}
          <bdi>{found.firstRefusal.position}</bdi>: <bdi>{found.firstRefusal.reason.slice(0, 400)}</bdi>
        </p>
      )}
      {unread.length > 0 && (
        <p className="quiet anywhere">
          Ignored columns: <bdi>{unread.slice(0, 12).join(', ')}</bdi>
          {unread.length > 12 && ' …'}
        </p>
      )}
      {fields.length > 0 && <p className="quiet">Unreadable: {fields.join(', ')}</p>}
      {found?.notes.slice(0, 5).map((note) => (
        <p key={note} className="quiet anywhere">
          <bdi>{note}</bdi>
        </p>
      ))}
      {refusal && <p role="alert">{refusal.detail}</p>}
    </section>
  )
}

/** Kinds of which a field can be said. */
const takes: Record<'app' | 'country' | 'chart' | 'observedAt', readonly FileKind[]> = {
  app: ['keyword-ranks', 'keywords', 'listing'],
  country: [
    ...(['catalogue', 'charts', 'search-results', 'keyword-ranks', 'sales'] as const),
    ...(['organic', 'paid-ads', 'competitors', 'keywords'] as const),
  ],
  chart: ['charts'],
  observedAt: [
    ...(['catalogue', 'charts', 'search-results', 'keyword-ranks'] as const),
    ...(['organic', 'paid-ads', 'listing', 'saved'] as const),
  ],
}
const unsaid = ''
const countries = storefronts.map(({ code, name }) => ({ id: code as string, name }))

/** What a person says of a file that does not tell it. */
function WhatItDoesNotTell({
  preview,
  kind,
  said,
  change,
}: {
  preview: FilePreview
  kind: FileKind | undefined
  said: SaidOfFile
  change: (said: SaidOfFile) => void
}) {
  const set = (name: keyof SaidOfFile) => (value: string | undefined) => {
    const { [name]: _, ...others } = said
    change(value ? { ...others, [name]: value } : others)
  }
  const mayBe = preview.couldBe.length > 0 ? preview.couldBe.map(({ kind }) => kind) : fileKinds
  const kinds = useMemo(
    () => [
      { id: unsaid as string, name: 'Automatic' },
      ...mayBe.map((id) => ({ id: id as string, name: fileKindInWords[id] })),
    ],
    [mayBe],
  )
  const isTaken = (field: keyof typeof takes) => kind !== undefined && takes[field].includes(kind)
  return (
    <fieldset className="stack gap-2">
      <legend className="small medium quiet">If the file does not say</legend>
      <div className="tiles" style={{ '--tile': '180px' } as never}>
        {(preview.kind === null || said.kind !== undefined) && (
          <Select label="Import as" options={kinds} value={said.kind ?? unsaid} onChange={set('kind')} />
        )}
        {isTaken('country') && (
          <Choice
            label="Storefront"
            placeholder="As in the file"
            options={countries}
            value={said.country ?? null}
            onChange={set('country')}
          />
        )}
        {isTaken('app') && (
          <TextField
            label="App"
            description="App Store id, address or bundle id"
            value={said.app ?? ''}
            onChange={set('app')}
          />
        )}
        {isTaken('chart') && (
          <>
            <Select
              label="Chart"
              options={[
                { id: unsaid as string, name: 'As in the file' },
                ...chartKinds.map((id) => ({ id: id as string, name: chartInWords[id] })),
              ]}
              value={said.chart ?? unsaid}
              onChange={set('chart')}
            />
            <CategoryChoice value={said.category ?? ''} onChange={set('category')} />
          </>
        )}
        {isTaken('observedAt') && (
          <DayField label="Collected on" value={said.observedAt} onChange={set('observedAt')} />
        )}
      </div>
    </fieldset>
  )
}
