import { momentText } from '../evidence/format.ts'
import type { Evidence } from '../evidence/shapes.ts'
import { originInWords, timeBasisInWords } from '../evidence/words.ts'
import { DataTable } from './DataTable.tsx'
import { Panel } from './parts.tsx'

/** The evidence behind a page: sources, places and times; values refer to its entries. */
export function EvidencePanel({ evidence }: { evidence: readonly Evidence[] }) {
  return (
    <Panel title="Sources" flush>
      <DataTable
        label="Sources of this page"
        rows={evidence.map((one, index) => ({ ...one, index }))}
        rowId={({ index }) => String(index)}
        minWidth={640}
        height={260}
        empty={null}
        columns={[
          {
            id: 'source',
            name: 'Source',
            cell: ({ source, surface }) => `${surface} (${source})`,
            value: ({ source }) => source,
          },
          {
            id: 'at',
            name: 'As of',
            width: 160,
            cell: ({ observedAt }) => momentText(observedAt),
            value: ({ observedAt }) => observedAt,
          },
          {
            id: 'basis',
            name: 'Date based on',
            width: 200,
            cell: ({ timeBasis }) => timeBasisInWords[timeBasis],
          },
          { id: 'origin', name: 'Origin', width: 190, cell: ({ origin }) => originInWords[origin] },
        ]}
      />
    </Panel>
  )
}
