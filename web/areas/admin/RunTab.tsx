import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReplyOf, read, useWrite } from '../../api/operations.ts'
import { useHasScope } from '../../api/session.ts'
import { count, countWithNoun, dayText, fromNow, momentText, timeAgo } from '../../evidence/format.ts'
import { adPlatformInWords } from '../../evidence/words.ts'
import { isUnderWay } from '../../evidence/work.ts'
import { Button } from '../../ui/Button.tsx'
import { RotateCw, Undo2 } from '../../ui/icons.ts'
import { Dialog } from '../../ui/overlays.tsx'
import { Figure, Figures, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'
import { WorkProgress } from '../../ui/WorkProgress.tsx'
import { CoverageNotes } from './CoverageNotes.tsx'
import { Rejections } from './Rejections.tsx'

type AdImportRun = ReplyOf<'admin_get_paid_ad_import'>

/** One import: how far it is, what became of its records, and where it stands in the library. Read anew while it is under way. */
export function RunTab() {
  const { runId } = useParams({ from: '/admin/imports/$runId' })
  const query = useQuery({
    ...read('admin_get_paid_ad_import', { runId }),
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? 1_500 : false),
  })
  return (
    <Loaded query={query} skeleton={<Skeleton height={360} />}>
      {(run) => <Run run={run} />}
    </Loaded>
  )
}

function Run({ run }: { run: AdImportRun }) {
  const { runId, platform, origin, query, counts, rejections, coverage, withdrawnAt, createdAt, status } = run
  const mayWrite = useHasScope('content:write')
  const retry = useWrite('admin_retry_paid_ad_import', { changes: ['admin_get_paid_ad_import'] })
  return (
    <>
      <Panel
        title={`Import from ${origin === 'records' ? 'pasted records' : adPlatformInWords[platform]}`}
        note={
          <>
            Started {momentText(createdAt)}. <code>{runId}</code>
          </>
        }
        actions={
          mayWrite && (
            <>
              {(status === 'failed' || status === 'partial') && (
                <Button
                  icon={<RotateCw size={14} aria-hidden="true" />}
                  isPending={retry.isPending}
                  onPress={() => retry.mutate({ runId })}
                >
                  Continue import
                </Button>
              )}
              {origin === 'records' && !withdrawnAt && !isUnderWay(run) && <Withdraw runId={runId} />}
            </>
          )
        }
      >
        <div className="stack">
          <WorkProgress work={run} name="Import" />
          {withdrawnAt && (
            <p role="status">Withdrawn {timeAgo(withdrawnAt)}, with everything derived from it.</p>
          )}
          {query && <p className="quiet">{queryInWords(query)}</p>}
          <Figures>
            <Figure name="Read">{count(counts.read)}</Figure>
            <Figure name="New">{count(counts.stored)}</Figure>
            <Figure name="Updated">{count(counts.updated)}</Figure>
            <Figure name="Unchanged">{count(counts.unchanged)}</Figure>
            <Figure name="Rejected">{count(counts.rejected)}</Figure>
          </Figures>
          <Upstream run={run} />
          <p>
            <Link to="/creatives/ads" search={{ platform }}>
              Open the collected ads
            </Link>
          </p>
        </div>
      </Panel>
      <Rejections rejections={rejections} total={counts.rejected} />
      <CoverageNotes coverage={coverage} />
    </>
  )
}

function queryInWords(query: NonNullable<AdImportRun['query']>): string {
  const { apps = [], archiveIds = [], terms = [], advertiserIds = [] } = query
  const { countries = [], deliveredFrom, deliveredTo, limit } = query
  return [
    apps.length > 0 ? `Apps ${apps.join(', ')}` : '',
    archiveIds.length > 0 ? `Ads ${archiveIds.join(', ')}` : '',
    terms.length > 0 ? `Terms ${terms.join(', ')}` : '',
    advertiserIds.length > 0 ? `advertisers ${advertiserIds.join(', ')}` : '',
    countries.length > 0 ? `in ${countries.map((country) => country.toUpperCase()).join(', ')}` : '',
    deliveredFrom ? `from ${dayText(deliveredFrom)}` : '',
    deliveredTo ? `to ${dayText(deliveredTo)}` : '',
    limit ? `up to ${countWithNoun(limit, 'ad')}` : '',
  ]
    .filter(Boolean)
    .join(', ')
}

type Position = NonNullable<AdImportRun['upstream']>['position']

const positionInWords: Record<Position, string> = {
  'not-started': 'Not started',
  reading: 'In progress',
  end: 'All ads read',
  limit: 'Limit reached',
  throttled: 'Rate-limited by the ad library',
  failed: 'Ad library error',
}

function Upstream({ run: { upstream } }: { run: AdImportRun }) {
  if (!upstream) return null
  const { position, pages, requests, resumesAt, resumable } = upstream
  return (
    <p>
      {positionInWords[position]}: {countWithNoun(pages, 'page')} with {countWithNoun(requests, 'request')}.
      {resumesAt && ` Continues automatically ${fromNow(resumesAt)}.`}
      {position === 'failed' &&
        (resumable ? ' A retry continues from the last page.' : ' A retry starts over.')}
    </p>
  )
}

/** Withdraws pasted records for good, after a confirmation. */
function Withdraw({ runId }: { runId: string }) {
  const withdraw = useWrite('admin_import_paid_ads', {
    changes: ['admin_get_paid_ad_import', 'search_paid_ads'],
    done: () => 'Import withdrawn.',
  })
  return (
    <Dialog
      title="Withdraw this import?"
      trigger={
        <Button look="danger" icon={<Undo2 size={14} aria-hidden="true" />}>
          Withdraw…
        </Button>
      }
    >
      {(close) => (
        <div className="stack">
          <p>
            Deletes the data of the pasted records for good, with links, transcripts and analyses derived from
            it. Data from ad libraries stays.
          </p>
          <div className="row">
            <Button
              look="danger"
              isPending={withdraw.isPending}
              onPress={() => withdraw.mutate({ withdrawRunId: runId }, { onSuccess: close })}
            >
              Withdraw for good
            </Button>
            <Button onPress={close}>Keep</Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}
