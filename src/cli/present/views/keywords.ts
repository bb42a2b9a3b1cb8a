import type { Block } from '../blocks.ts'
import { cellOf, evidenceText } from '../cells.ts'
import { number } from '../numbers.ts'
import {
  barCell,
  nameWithStorefront,
  optionalSection,
  pairBlocks,
  quietBlock,
  scoreBar,
  surfaceBlocks,
  table,
  textBlock,
  textCell,
  title,
  workLines,
} from './parts.ts'
import type { ReplyOf, ViewOf } from './view.ts'

type Exploration = ReplyOf<'explore_aso_keyword'>

export const keywordViews = {
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
            cell: ({ outcome }) => textCell(outcome, outcome === 'added' ? 'good' : 'quiet'),
            stays: 2,
          },
          { title: 'rank', cell: ({ keyword }) => keyword.rank, stays: 3 },
          { title: 'keyword id', cell: ({ keyword }) => keyword.keywordId, stays: 4 },
        ],
      ),
      ...optionalSection(
        'Refused',
        '',
        table(refused, [
          { title: 'given', cell: ({ given }) => textCell(given), stays: 1 },
          { title: 'why', wraps: true, cell: ({ message }) => textCell(message, 'warning'), stays: 2 },
        ]),
      ),
    ],
  } satisfies ViewOf<'add_aso_keywords'>,

  explore_aso_keyword: {
    head: (reply) => [
      title(reply.term, reply.country),
      ...scores(reply),
      ...surfaceBlocks(reply.surface, null),
      ...optionalSection('Result page', pageAside(reply), page(reply)),
      ...optionalSection('Difficulty', '', difficulty(reply)),
      ...optionalSection('Your apps', '', own(reply)),
      ...optionalSection('Came and went', '', changes(reply)),
      ...optionalSection('Suggested while typing', '', autocomplete(reply)),
      ...optionalSection('Related', '', related(reply)),
      ...(reply.refresh ? workLines(reply.refresh, 'last refresh') : []),
    ],
  } satisfies ViewOf<'explore_aso_keyword'>,
}

function scores({
  difficulty: hard,
  opportunity,
  autocomplete: suggested,
  volatility,
  pagesStored,
  firstObservedAt,
}: Exploration): Block[] {
  return pairBlocks([
    ['difficulty', [cellOf(hard, 'difficulty'), scoreBar(hard)]],
    ['opportunity', [cellOf(opportunity, 'score'), scoreBar(opportunity)]],
    ['autocomplete', [cellOf(suggested.strength, 'score'), scoreBar(suggested.strength)]],
    [
      'volatility',
      [cellOf(volatility.score, 'score'), scoreBar(volatility.score), textCell(restsOn(volatility), 'quiet')],
    ],
    [
      'pages stored',
      [cellOf(pagesStored), textCell(firstObservedAt ? `since ${firstObservedAt.slice(0, 10)}` : '', 'quiet')],
    ],
  ])
}

/** The number of pages that the volatility compares, and their time span. */
function restsOn({ comparisons, from, to }: Exploration['volatility']): string {
  const days = from && to ? Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) : 0
  return `a week, over ${number(comparisons)} pairs of pages of ${number(days)} days`
}

const pageAside = ({ page: shown }: Exploration) =>
  shown.state === 'measured' ? `${shown.results.length} of ${shown.depth} places${saidToBe(shown.stated)}` : ''

/** The hint about the length of an answer, where it is wrong. */
const saidToBe = (stated: number | null) => (stated === null ? '' : `, said to be ${number(stated)}`)

function page({ page: shown, refresh, country }: Exploration): Block[] {
  if (shown.state === 'absent') return [textBlock('Apple answered with no app.')]
  if (shown.state === 'not-measured')
    return [
      ...pairBlocks([['page', shown]]),
      ...(refresh ? [] : [quietBlock('refresh-aso-keyword fetches one')]),
    ]
  const [evidence] = shown.evidence
  return [
    ...table(shown.results, [
      { title: '#', cell: ({ position }) => position, stays: 1 },
      { title: '', cell: ({ change }) => change, stays: 4 },
      {
        title: 'app',
        cell: ({ app, role }) => textCell(nameWithStorefront(app, country), role ? 'strong' : undefined),
        stays: 2,
      },
      { title: 'store id', cell: ({ app }) => app.storeId, stays: 3 },
      { title: 'rating', cell: ({ rating }) => rating, name: 'rating', stays: 6 },
      { title: 'ratings', cell: ({ ratingCount }) => ratingCount, name: 'ratingCount', stays: 5 },
      { title: 'name holds', cell: ({ nameMatch }) => nameMatch.replaceAll('-', ' '), stays: 7 },
      { title: 'role', cell: ({ role }) => role },
    ]),
    ...(evidence ? [quietBlock(evidenceText(evidence))] : []),
  ]
}

function difficulty({ difficulty: hard }: Exploration): Block[] {
  if (hard.state !== 'estimated') return []
  return [
    ...(hard.brand ? [textBlock(`A brand term. ${hard.brand.text}`)] : []),
    ...table(hard.parts, [
      { title: 'part', cell: ({ name }) => name.replaceAll('-', ' '), stays: 1 },
      { title: 'value', cell: ({ value }) => value, stays: 2 },
      { title: '', drawing: true, cell: ({ value }) => barCell(value), stays: 5 },
      { title: 'weight', cell: ({ weight }) => weight, name: 'weight', stays: 4 },
      { title: 'what was read', wraps: true, cell: ({ text: read }) => textCell(read), stays: 3 },
    ]),
  ]
}

function own({ trackedApps, page: shown, country }: Exploration): Block[] {
  const names = new Map(
    shown.state === 'measured'
      ? shown.results.map(({ app }) => [app.storeId, nameWithStorefront(app, country)])
      : [],
  )
  const isElsewhere = trackedApps.some(({ otherSurfaces, notListed }) => otherSurfaces.length > 0 || notListed)
  return table(trackedApps, [
    { title: '#', cell: ({ rank }) => rank, stays: 1 },
    { title: 'app', cell: ({ storeId }) => textCell(names.get(storeId) ?? storeId), stays: 2 },
    { title: 'role', cell: ({ role }) => role, stays: 3 },
    { title: 'tracks it', cell: ({ keywordId }) => keywordId !== null, stays: 4 },
    ...(isElsewhere
      ? [
          {
            title: 'on other surfaces',
            wraps: true as const,
            cell: ({ otherSurfaces, notListed }: Exploration['trackedApps'][number]) =>
              textCell(
                [
                  ...otherSurfaces.map(({ text }) => text),
                  ...(notListed ? ['not listed by this search, not even for its own name'] : []),
                ].join('; '),
              ),
            stays: 5,
          },
        ]
      : []),
    { title: 'app id', cell: ({ appId }) => appId, stays: 9 },
  ])
}

/** Older comparisons are in the reply. */
const comparisonsShown = 5

function changes({ changes: all }: Exploration): Block[] {
  const changed = all.filter(({ entered, left, movers }) => entered + left + movers.length > 0)
  return table(changed.slice(0, comparisonsShown), [
    { title: 'page of', cell: ({ observedAt }) => observedAt, stays: 1 },
    {
      title: 'came',
      wraps: true,
      cell: ({ entered, entrants }) => textCell(placed(entered, entrants), 'good'),
      stays: 2,
    },
    {
      title: 'went',
      wraps: true,
      cell: ({ left, leavers }) => textCell(placed(left, leavers), 'bad'),
      stays: 3,
    },
    {
      title: 'moved most',
      wraps: true,
      cell: ({ movers }) =>
        textCell(
          movers
            .slice(0, 3)
            .map(({ name, storeId, from, to }) => `${name ?? storeId} ${from} to ${to}`)
            .join(', '),
        ),
      stays: 4,
    },
  ])
}

function placed(
  count: number,
  apps: readonly { name: string | null; storeId: string; position: number }[],
): string {
  const named = apps.slice(0, 3).map(({ name, storeId, position }) => `${name ?? storeId} (${position})`)
  return [...named, ...(count > named.length ? [`${count - named.length} more`] : [])].join(', ')
}

function autocomplete({ autocomplete: { prefixes, continuations } }: Exploration): Block[] {
  return [
    ...table(prefixes, [
      { title: 'typed', cell: ({ typed }) => typed },
      { title: 'place', cell: ({ rank }) => rank },
      { title: 'seen', cell: ({ observedAt }) => observedAt },
    ]),
    ...pairBlocks([['goes on', continuations]]),
  ]
}

function related({ related: all }: Exploration): Block[] {
  return table(all.slice(0, 15), [
    { title: 'keyword', cell: ({ term }) => term, stays: 1 },
    { title: 'difficulty', cell: ({ difficulty: hard }) => hard, name: 'difficulty', stays: 2 },
    { title: 'autocomplete', cell: ({ autocomplete: strength }) => strength, name: 'score', stays: 4 },
    {
      title: 'because',
      wraps: true,
      cell: ({ reasons }) => textCell(reasons.map((reason) => reason.text).join(' ')),
      stays: 3,
    },
  ])
}
