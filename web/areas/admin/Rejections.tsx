import type { ReplyOf } from '../../api/operations.ts'
import { count } from '../../evidence/format.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Panel } from '../../ui/parts.tsx'

type Rejection = ReplyOf<'admin_get_paid_ad_import'>['rejections'][number]

/** Records that were not taken, with why. */
export function Rejections({ rejections, total }: { rejections: readonly Rejection[]; total: number }) {
  if (total === 0) return null
  return (
    <Panel
      title="Rejected records"
      note={rejections.length < total ? `The first ${count(rejections.length)} of ${count(total)}` : undefined}
      flush
    >
      <DataTable
        label="Records that were rejected"
        rows={rejections}
        rowId={({ position }) => String(position)}
        columns={columns}
        file="rejected-records"
        minWidth={720}
        empty={null}
      />
    </Panel>
  )
}

const reasonInWords: Record<Rejection['reason'], string> = {
  'no-id': 'No id',
  'wrong-platform': 'Of another library',
  'unknown-form': 'Unknown form',
  'impossible-date': 'Impossible date',
  'bad-value': 'Bad value',
  'too-large': 'Too large',
}

const columns: readonly Column<Rejection>[] = [
  {
    id: 'position',
    name: 'Record',
    width: 84,
    align: 'end',
    value: ({ position }) => position,
    cell: ({ position }) => count(position),
  },
  {
    id: 'ad',
    name: 'Ad',
    width: 170,
    csv: ({ archiveId }) => archiveId,
    cell: ({ archiveId }) =>
      archiveId ? <code>{archiveId}</code> : <span className="quiet">no readable id</span>,
  },
  {
    id: 'reason',
    name: 'Reason',
    width: 150,
    value: ({ reason }) => reasonInWords[reason],
    cell: ({ reason }) => reasonInWords[reason],
  },
  {
    id: 'message',
    name: 'What is wrong',
    csv: ({ message }) => message,
    cell: ({ message }) => <bdi title={message}>{message}</bdi>,
  },
]
