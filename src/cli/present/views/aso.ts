import type { Block, Cell } from '../blocks.ts'
import { cellOf } from '../cells.ts'
import { number, seconds } from '../numbers.ts'
import { nameThere, pairs, part, scoreBar, table, text, title, words, workLines } from './parts.ts'
import type { ReplyOf, ViewOf } from './view.ts'

type Workstation = ReplyOf<'get_aso_workstation'>
type Tracked = ReplyOf<'track_aso_app'>
type Refresh = ReplyOf<'refresh_aso_app'>
type Movement = Workstation['movement']['over1Day']

export const aso = {
  list_aso_apps: {
    head: () => [title('Tracked apps')],
    columns: {
      appId: { stays: 2 },
      'app.storeId': { stays: 8 },
      'app.name': { cell: ({ app, country }) => words(nameThere(app, country)), stays: 1 },
      'app.namedIn': { hidden: true },
      role: { stays: 4 },
      country: { title: 'in', stays: 3 },
      keywordCount: { title: 'keywords', stays: 6 },
      'visibility.share': { title: 'visible', stays: 5 },
      moved: {
        title: '7 days',
        after: 'visibility.share',
        cell: ({ over7Days, visibility }) => moved(over7Days, visibility.share),
        stays: 7,
      },
      bar: { title: '', drawing: true, cell: ({ visibility }) => scoreBar(visibility.share), stays: 9 },
    },
    empty: () => 'This account tracks no app that passes the filters: track-aso-app begins.',
  } satisfies ViewOf<'list_aso_apps'>,

  track_aso_app: { head: (tracked) => trackedBlocks(tracked, 'Tracked') } satisfies ViewOf<'track_aso_app'>,
  update_aso_app_role: {
    head: (tracked) => trackedBlocks(tracked, 'Role changed'),
  } satisfies ViewOf<'update_aso_app_role'>,

  add_aso_keywords: {
    head: ({ added, alreadyThere, refused, keywordCount }) => [
      title(
        `${added.length} added`,
        `${alreadyThere.length} already there, ${refused.length} refused, ${keywordCount} keywords now`,
      ),
      ...table(
        [
          ...added.map((one) => ({ ...one, outcome: 'added' })),
          ...alreadyThere.map((one) => ({ ...one, outcome: 'already there' })),
        ],
        [
          { title: 'keyword', cell: ({ keyword }) => keyword.term, stays: 1 },
          {
            title: '',
            cell: ({ outcome }) => words(outcome, outcome === 'added' ? 'good' : 'quiet'),
            stays: 2,
          },
          { title: 'rank', cell: ({ keyword }) => keyword.rank, stays: 3 },
          { title: 'keyword id', cell: ({ keyword }) => keyword.keywordId, stays: 4 },
        ],
      ),
      ...part(
        'Refused',
        '',
        table(refused, [
          { title: 'given', cell: ({ given }) => words(given), stays: 1 },
          { title: 'why', wraps: true, cell: ({ message }) => words(message, 'warning'), stays: 2 },
        ]),
      ),
    ],
  } satisfies ViewOf<'add_aso_keywords'>,

  refresh_aso_app: { head: (refresh) => refreshBlocks(refresh, 'refresh') } satisfies ViewOf<'refresh_aso_app'>,

  get_aso_keyword_gap: {
    head: ({ own, rival, country, counts, pages }) => [
      title(`${nameThere(own, country)} against ${nameThere(rival, country)}`, country),
      ...pairs([
        ['only the rival', counts.rivalOnly],
        ['only you', counts.ownOnly],
        [
          'both',
          words(`you ahead in ${number(counts.bothOwnAhead)}, rival in ${number(counts.bothRivalAhead)}`),
        ],
        ['neither', counts.neither],
        ['not measured', counts.notMeasured],
        [
          'looked at',
          words(
            `${number(pages.looked)} result pages${pages.newestAt ? `, the newest of ${pages.newestAt.slice(0, 10)}` : ''}`,
          ),
        ],
      ]),
    ],
    items: 'Keywords',
    columns: {
      term: { title: 'keyword', stays: 1 },
      own: { title: 'you', stays: 2 },
      rival: { stays: 3 },
      ahead: {
        cell: ({ ahead, distance }) =>
          ahead
            ? words(
                `${ahead === 'own' ? 'you' : 'rival'}${distance ? ` by ${distance}` : ''}`,
                ahead === 'own' ? 'good' : 'bad',
              )
            : words(''),
        stays: 4,
      },
      distance: { hidden: true },
      standing: { stays: 7 },
      difficulty: { stays: 5 },
      opportunity: { stays: 6 },
      bar: { title: '', drawing: true, cell: ({ opportunity }) => scoreBar(opportunity, 8), stays: 9 },
    },
    empty: () => 'No stored result page of this storefront shows either app for what was asked.',
  } satisfies ViewOf<'get_aso_keyword_gap'>,
}

function trackedBlocks(tracked: Tracked, done: string): Block[] {
  return [
    title(
      `${done}: ${nameThere(tracked.app, tracked.country)}`,
      `${tracked.app.storeId}, ${tracked.country}, ${tracked.role}`,
    ),
    ...pairs([
      ['app id', tracked.appId],
      ['keywords', tracked.keywordCount],
    ]),
    ...(tracked.intake ? workLines(tracked.intake, 'intake') : []),
  ]
}

export function refreshBlocks(refresh: Refresh, name: string): Block[] {
  const { searches, skipped, searchesPerMinute, expectedSeconds, failures } = refresh
  return [
    ...workLines(refresh, name),
    ...pairs([
      [
        'searches',
        words(
          [
            number(searches),
            skipped > 0 && `${number(skipped)} pages are fresh enough`,
            searchesPerMinute > 0 && `${number(searchesPerMinute)} a minute`,
            expectedSeconds !== null && `about ${seconds(expectedSeconds)} to go`,
          ]
            .filter(Boolean)
            .join(', '),
        ),
      ],
    ]),
    ...failures.slice(0, 5).map(({ term, message }) => text(`${term}: ${message}`, 'warning')),
  ]
}

/** How many climbed and fell; where nothing could be compared nobody knows, and that is not standing still. */
function moved(
  { climbed, fallen, entered, left, unchanged, absent, notMeasured }: Movement,
  share: { state: string },
): Cell {
  const up = climbed + entered
  const down = fallen + left
  if (up + down + unchanged + absent === 0)
    return cellOf(
      notMeasured === 0
        ? null
        : share.state === 'measured'
          ? { state: 'not-measured', reason: 'no-snapshot' }
          : share,
    )
  return {
    text: up + down === 0 ? '=' : `▲${up} ▼${down}`,
    number: true,
    ...(up > down ? { tone: 'good' } : down > up ? { tone: 'bad' } : {}),
  }
}
