import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type ReplyOf, useWrite } from '../../api/operations.ts'
import { count, dayText, playTime, totalOf, totalText } from '../../evidence/format.ts'
import { fieldInWords } from '../../evidence/words.ts'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Badge, Figure, Figures, Panel } from '../../ui/parts.tsx'
import { CoverageNotes } from './CoverageNotes.tsx'
import { Rejections } from './Rejections.tsx'

type AdImportPreview = ReplyOf<'admin_preview_paid_ads'>
type PreviewedAd = AdImportPreview['sample'][number]

/** What an import would do: how many ads, which are new, what it costs, and what the library cannot show. */
export function Preview({
  preview,
  isOfThese,
  again,
}: {
  preview: AdImportPreview
  /** Whether it answers what the form asks now. */
  isOfThese: boolean
  again: () => void
}) {
  const { matching, examined, requestsNeeded, requestsUsed, sample, rejections, coverage, expiresAt } = preview
  const left = useSecondsUntil(expiresAt)
  const navigate = useNavigate()
  const start = useWrite('admin_import_paid_ads', { changes: ['search_paid_ads', 'admin_get_paid_ad_import'] })
  const usable = examined.new + examined.known + examined.changed
  return (
    <>
      <Panel
        title="Preview"
        note={
          !isOfThese
            ? 'The form has changed. Preview again.'
            : left > 0
              ? `Import within ${playTime(left)} minutes.`
              : 'Older than 15 minutes. Preview again.'
        }
        actions={
          !isOfThese || left <= 0 ? (
            <Button onPress={again}>Preview again</Button>
          ) : (
            <Button
              look="primary"
              isPending={start.isPending}
              isDisabled={usable === 0 && matching.value === 0}
              onPress={() =>
                start.mutate(
                  { previewToken: preview.previewToken },
                  {
                    onSuccess: ({ runId }) => void navigate({ to: '/admin/imports/$runId', params: { runId } }),
                  },
                )
              }
            >
              Import {totalOf(matching, 'ad')}
            </Button>
          )
        }
      >
        <Figures>
          <Figure name="Matching ads">{totalText(matching)}</Figure>
          <Figure name="Ads checked">{count(examined.ads)}</Figure>
          <Figure name="New">{count(examined.new)}</Figure>
          <Figure name="Changed">{count(examined.changed)}</Figure>
          <Figure name="Already imported">{count(examined.known)}</Figure>
          <Figure name="Rejected">{count(examined.rejected)}</Figure>
          <Figure name="Requests needed" note={`${count(requestsUsed)} used for the preview`}>
            {totalText(requestsNeeded)}
          </Figure>
        </Figures>
      </Panel>
      <Panel title="Sample" flush>
        <DataTable
          label="Sample of ads to import"
          rows={sample}
          rowId={({ archiveId }) => archiveId}
          columns={columns}
          minWidth={860}
          empty={<p className="quiet">None of the checked ads can be imported.</p>}
        />
      </Panel>
      <Rejections rejections={rejections} total={examined.rejected} />
      <CoverageNotes coverage={coverage} />
    </>
  )
}

const standingInWords = { new: 'New', changed: 'Changed', known: 'Already imported' } as const
const standingTones = { new: 'good', changed: 'accent', known: 'plain' } as const

const columns: readonly Column<PreviewedAd>[] = [
  {
    id: 'text',
    name: 'Ad',
    cell: ({ text }) => (text ? <bdi title={text}>{text}</bdi> : <span className="quiet">no text</span>),
  },
  {
    id: 'advertiser',
    name: 'Advertiser',
    width: 200,
    cell: ({ advertiserName, advertiserId }) => (
      <bdi>{advertiserName ?? advertiserId ?? 'not in the record'}</bdi>
    ),
  },
  {
    id: 'began',
    name: 'Started',
    width: 100,
    cell: ({ deliveryStartedOn }) =>
      deliveryStartedOn ? dayText(deliveryStartedOn) : <span className="quiet">unknown</span>,
  },
  {
    id: 'standing',
    name: 'Status',
    width: 180,
    cell: ({ standing, changes }) => (
      <>
        <Badge tone={standingTones[standing]}>{standingInWords[standing]}</Badge>{' '}
        <span className="quiet">{changes.map(fieldInWords).join(', ')}</span>
      </>
    ),
  },
]

/** Counts down to an instant; 0 when it has passed. */
function useSecondsUntil(instant: string): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.round((Date.parse(instant) - now) / 1_000))
}
