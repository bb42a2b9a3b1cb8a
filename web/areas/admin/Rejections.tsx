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
      note={rejections.length < total ? `First ${count(rejections.length)} of ${count(total)}` : undefined}
      flush
    >
      <DataTable
        label="Rejected records"
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
  'no-id': 'No ID',
  'wrong-platform': 'Other ad library',
  'unknown-form': 'Unknown format',
  'impossible-date': 'Invalid date',
  'bad-value': 'Invalid value',
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
      archiveId ? <code>{archiveId}</code> : <span className="quiet">no readable ID</span>,
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
    name: 'Details',
    csv: ({ message }) => message,
    cell: ({ message }) => <bdi title={message}>{message}</bdi>,
  },
]
