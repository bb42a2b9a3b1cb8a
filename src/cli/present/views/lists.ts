import type { Block, Cell } from '../blocks.ts'
import { cellOf } from '../cells.ts'
import { minute } from '../numbers.ts'
import { movedText } from './moves.ts'
import { coverageLines, nameWithStorefront, quietBlock, scoreBar, textCell } from './parts.ts'
import type { ReplyOf, ViewOf } from './view.ts'

/**
 * Lists shown with their summary columns: the message when they are empty, and the few cells with a presentation of their
 * own.
 */

type Post = ReplyOf<'search_organic_content'>['items'][number]
type Ad = ReplyOf<'search_paid_ads'>['items'][number]

/** A post is shown by its title where it has one. */
export const postText = (post: Post) => cellOf(post.title.state === 'measured' ? post.title : post.text)

export const listViews = {
  search_competitors: {
    one: 'app',
    columns: { name: { title: 'app' } },
    empty: () =>
      'No stored app matches. Apps that were never collected cannot be found: request-ios-competitor takes one in.',
  } satisfies ViewOf<'search_competitors'>,

  list_competitor_categories: {
    columns: {
      name: {
        title: 'category',
        after: '',
        cell: ({ name, parentId }) => ({ text: parentId && parentId !== '36' ? `  ${name}` : name }),
      },
    },
  } satisfies ViewOf<'list_competitor_categories'>,

  get_similar_competitors: {
    empty: () =>
      'Too little evidence: no stored app of another developer resembles it enough, by what was looked at.',
  } satisfies ViewOf<'get_similar_competitors'>,

  list_emerging_ios_competitors: {
    columns: {
      'reasons.detail': {
        title: 'because',
        stays: 2,
        cell: ({ reasons }) => textCell(reasons.map(({ detail }) => detail).join('; ')),
        wraps: true,
      },
      foundAt: { title: 'found' },
      'intake.status': { title: 'intake' },
    },
    foot: ({ lastRun }) => [
      ...(lastRun?.period
        ? [quietBlock(`The newest run looked through ${lastRun.period.from} to ${lastRun.period.to}`)]
        : []),
      ...(lastRun?.backtest ? [quietBlock(lastRun.backtest.detail)] : []),
    ],
    empty: ({ lastRun }) => noEmergingApp(lastRun),
  } satisfies ViewOf<'list_emerging_ios_competitors'>,

  list_competitor_data_requests: {
    columns: { storeId: {}, note: {} },
    empty: () => 'This account asked for no data that passes the filters.',
  } satisfies ViewOf<'list_competitor_data_requests'>,

  request_competitor_data: {
    foot: () => [quietBlock('Recorded for the operator. Nothing is collected by asking.')],
  } satisfies ViewOf<'request_competitor_data'>,

  search_organic_content: {
    one: 'post',
    columns: { text: { cell: postText } },
    empty: () => 'No stored post matches. Posts come in from files: docs/imports.md.',
  } satisfies ViewOf<'search_organic_content'>,

  list_saved_organic_content: {
    columns: { 'post.text': { cell: ({ post }) => postText(post) } },
    empty: () => 'This account has saved no post that passes the filters.',
  } satisfies ViewOf<'list_saved_organic_content'>,

  search_paid_ads: {
    one: 'ad',
    columns: {
      'creatives.body': { title: 'text', cell: ({ creatives }) => saying(creatives), stays: 1 },
      'advertiser.name': { stays: 3 },
    },
    foot: ({ coverage }) => coverage.flatMap(coverageLines),
    empty: () =>
      'No stored ad matches. What the libraries do not show, and what was never asked for, cannot be found.',
  } satisfies ViewOf<'search_paid_ads'>,

  admin_search_paid_ad_advertisers: {
    empty: () => 'No advertiser of that name is stored, and none was answered.',
  } satisfies ViewOf<'admin_search_paid_ad_advertisers'>,

  admin_preview_paid_ads: {
    items: 'The first ads',
    columns: { changes: { title: 'differs in' } },
    empty: () => 'The import would take no ad.',
  } satisfies ViewOf<'admin_preview_paid_ads'>,

  list_aso_apps: {
    columns: {
      'app.name': {
        cell: ({ app, country, notFoundSince }) =>
          notFoundSince === null
            ? textCell(nameWithStorefront(app, country))
            : textCell(`${nameWithStorefront(app, country)} (not found)`, 'bad'),
        after: '',
      },
      'app.namedIn': { hidden: true },
      'visibility.share': { title: 'visible' },
      moved: {
        title: '7 days',
        after: 'visibility.share',
        cell: ({ over7Days, visibility }) => movementText(over7Days, visibility.share),
      },
      bar: { title: '', drawing: true, cell: ({ visibility }) => scoreBar(visibility.share), stays: 40 },
      moves: { title: 'moved', stays: 41, cell: ({ moves }) => movedText(moves) },
      freshness: {
        title: 'not fresh',
        stays: 42,
        cell: ({ freshness }) => notFreshText(freshness),
        wraps: true,
      },
    },
    foot: ({ comparison, collecting }) => [
      ...(comparison === null ? [] : [quietBlock(comparison.replaceAll('`', ''))]),
      ...(collecting === null ? [] : collectingBlocks(collecting)),
    ],
    empty: () => 'This account tracks no app that passes the filters: track-aso-app begins.',
  } satisfies ViewOf<'list_aso_apps'>,

  get_aso_keyword_gap: {
    columns: {
      ahead: {
        cell: ({ ahead, distance }) =>
          textCell(
            ahead ? `${ahead}${distance ? ` by ${distance}` : ''}` : '',
            ahead === 'own' ? 'good' : 'bad',
          ),
      },
      distance: { hidden: true },
      bar: { title: '', drawing: true, cell: ({ opportunity }) => scoreBar(opportunity, 8), stays: 40 },
    },
    empty: () => 'No stored result page of this storefront shows either app for what was asked.',
  } satisfies ViewOf<'get_aso_keyword_gap'>,

  search_ios_apps: {
    empty: ({ basis }) =>
      basis === 'result-page'
        ? 'The page holds no app: Apple had none for this term.'
        : 'No page of this term is stored and no stored app matches it. With --live Apple is asked.',
  } satisfies ViewOf<'search_ios_apps'>,
}

/** There may be stored charts that no discovery run has looked at yet: an empty list says nothing about the market. */
function noEmergingApp(lastRun: ReplyOf<'list_emerging_ios_competitors'>['lastRun']): string {
  if (!lastRun)
    return 'No discovery run was made for this yet, whatever charts are stored: discover-emerging-ios-competitors starts one.'
  if (lastRun.status === 'queued' || lastRun.status === 'running') return 'The run has not ended yet.'
  if (lastRun.status === 'failed') return 'The last run failed, so nothing is known yet.'
  if (lastRun.lastError) return lastRun.lastError.message
  return 'The runs so far found no emerging app that passes the filters.'
}

/** The beginning of the ad's current text. */
function saying(creatives: Ad['creatives']) {
  for (const { title, body } of creatives)
    for (const fact of [title, body]) if (fact.state === 'measured') return cellOf(fact)
  return cellOf(creatives[0]?.body)
}

type Movement = ReplyOf<'get_aso_workstation'>['movement']['over1Day']

/** The number of keywords that rose and fell; "unknown" where nothing could be compared, which is not "unchanged". */
function movementText(
  { climbed, fallen, entered, left, unchanged, absent, notMeasured }: Movement,
  share: { state: string },
): Cell {
  const up = climbed + entered
  const down = fallen + left
  if (up + down + unchanged + absent === 0)
    return cellOf(
      notMeasured === 0
        ? null
        : share.state === 'estimated'
          ? { state: 'not-measured', reason: 'no-snapshot' }
          : share,
    )
  return {
    text: up + down === 0 ? '=' : `▲${up} ▼${down}`,
    number: true,
    ...(up > down ? { tone: 'good' } : down > up ? { tone: 'bad' } : {}),
  }
}

type TrackedAppList = ReplyOf<'list_aso_apps'>

/** Such as `keywords late, page never`; what nothing collects is left out. */
function notFreshText(freshness: TrackedAppList['items'][number]['freshness']): Cell {
  const behind = Object.entries(freshness).flatMap(([part, age]) =>
    !age || age.state === 'not-scheduled'
      ? []
      : `${part} ${age.state === 'not-measured' ? 'never' : age.state}`,
  )
  return textCell(behind.join(', '))
}

function collectingBlocks({
  worker,
  stoppedSince,
  overdue,
}: NonNullable<TrackedAppList['collecting']>): Block[] {
  const nobody =
    worker === 'never-seen'
      ? 'No process was ever seen to work on jobs: nothing is collected.'
      : `No process works on jobs since ${stoppedSince && minute(stoppedSince)}: nothing is collected.`
  return [...(worker === 'running' ? [] : [nobody]), ...overdue.map(({ job, text }) => `${job}: ${text}`)].map(
    (text) => ({ kind: 'text', tone: 'warning', text: `! ${text}` }),
  )
}
