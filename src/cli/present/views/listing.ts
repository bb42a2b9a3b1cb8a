import type { Block, Cell } from '../blocks.ts'
import { cellOf, change } from '../cells.ts'
import { bar, rankSparkline, sparkline } from '../drawings/sparkline.ts'
import { minute, number } from '../numbers.ts'
import { pointOf } from './charts.ts'
import { countOfSet, isSet, ratingCells } from './listing-facts.ts'
import { alsoBlocks, appTitle, barCell, pairs, part, quiet, table, words } from './parts.ts'
import type { ReplyOf, ViewOf } from './view.ts'

type Aso = ReplyOf<'get_competitor_aso'>

export const listings = {
  get_competitor_aso: {
    head: (reply) => [
      appTitle(reply.app, reply.country),
      ...alsoBlocks(reply),
      ...visibilityPairs(reply),
      ...part('Listing texts', reply.audit.language ?? '', audit(reply)),
      ...part('Advice', '', advice(reply)),
      ...part('Keywords', `${reply.keywords.ranked} of ${reply.keywords.total} ranked`, keywords(reply)),
      ...part('Ratings', '', ratings(reply)),
      ...part('Listing changes', '', timeline(reply)),
      observed(reply),
    ],
  } satisfies ViewOf<'get_competitor_aso'>,
}

function observed({ country, listingObserved: { days, firstAt, lastAt } }: Aso): Block {
  if (firstAt === null || lastAt === null) return quiet(`No listing of ${country} was ever seen.`)
  return quiet(`Listing seen on ${days} days from ${firstAt.slice(0, 10)} to ${lastAt.slice(0, 10)}.`)
}

function visibilityPairs({ visibility }: Aso): Block[] {
  return pairs([['visibility', visibilityCells(visibility)]])
}

/** A share with a bar and the numbers behind it. */
export function visibilityCells(visibility: Aso['visibility']): Cell[] {
  const { share, measured, keywords: all, ranked, newestPageAt } = visibility
  return [
    cellOf(share, 'share'),
    ...(share.state === 'estimated' ? [barCell(share.value)] : []),
    words(
      `${ranked} ranked of ${measured} measured of ${all} keywords${newestPageAt ? `, newest page ${newestPageAt.slice(0, 10)}` : ''}`,
      'quiet',
    ),
  ]
}

function audit({ audit: { texts } }: Aso): Block[] {
  return table(texts, [
    { title: 'field', cell: ({ field }) => field.replaceAll('-', ' '), stays: 1 },
    {
      title: 'used',
      cell: ({ characters, limit }) =>
        characters.state === 'measured'
          ? { text: `${number(characters.value)} of ${number(limit)}`, number: true }
          : cellOf(characters, 'count'),
      stays: 2,
    },
    {
      title: '',
      drawing: true,
      cell: ({ characters, limit }) =>
        characters.state === 'measured' ? { text: bar(characters.value, limit, 10), ours: true } : null,
      stays: 5,
    },
    { title: 'searched', cell: ({ searched }) => searched, stays: 6 },
    {
      title: 'telling terms',
      cell: ({ terms }) =>
        words(
          terms
            .slice(0, 6)
            .map(({ term }) => term)
            .join(', '),
        ),
      stays: 3,
    },
    { title: 'text', cell: ({ text }) => (text.state === 'measured' ? text : null), stays: 4 },
  ])
}

const weights = { high: 'bad', medium: 'warning', low: 'quiet' } as const

function advice({ audit: { advice: all } }: Aso): Block[] {
  return pairs(
    all.map(({ weight, text }) => [weight, words(text, weight === 'high' ? weights.high : undefined)]),
  )
}

function keywords({ keywords: { items } }: Aso): Block[] {
  return table(items, [
    { title: '#', cell: ({ rank }) => rank, stays: 1 },
    { title: 'keyword', cell: ({ term, tracked }) => words(term, tracked ? 'strong' : undefined), stays: 2 },
    { title: '30 days', cell: ({ over30Days }) => over30Days, stays: 3 },
    { title: 'best', cell: ({ best }) => best, stays: 5 },
    { title: 'difficulty', cell: ({ difficulty }) => difficulty, name: 'difficulty', stays: 4 },
    {
      title: 'ranks',
      drawing: true,
      cell: ({ history }) => ({
        text: rankSparkline(
          history.map(({ rank }) => pointOf(rank)),
          15,
        ),
        ours: true,
      }),
      stays: 6,
    },
    { title: 'listed in', cell: ({ listedIn }) => listedIn },
  ])
}

function ratings({ ratings: all }: Aso): Block[] {
  return pairs([
    ['average', ratingCells(all.rating, all.ratingCount)],
    ['this version', ratingCells(all.ratingCurrentVersion, all.ratingCountCurrentVersion)],
    ...all.growth.map(({ days, added }) => [`in ${days} days`, grown(added)] as const),
    [
      'count',
      all.history.length > 1
        ? {
            text: sparkline(
              all.history.map(({ ratingCount }) => ratingCount),
              30,
            ),
            ours: true,
            drawing: true,
          }
        : null,
    ],
  ])
}

function grown(added: Aso['ratings']['growth'][number]['added']): Cell {
  if (added.state !== 'measured') return cellOf(added)
  return {
    text: `${added.value >= 0 ? '+' : ''}${number(added.value)}`,
    tone: added.value >= 0 ? 'good' : 'bad',
  }
}

function timeline({ timeline: all }: Aso): Block[] {
  return all
    .slice(0, 10)
    .flatMap(({ lastSeenAt, firstSeenAt, fields, keywords: movers, impact, caution }) => [
      quiet(`between ${minute(lastSeenAt)} and ${minute(firstSeenAt)}`),
      ...pairs([
        ...fields.map(
          ({ field, from, to, comparison }) =>
            [
              field.replaceAll('-', ' '),
              comparison === 'not-compared'
                ? words('pictures may differ, not compared', 'quiet')
                : [listed(field, from), { text: '→', ours: true, tone: 'quiet' }, listed(field, to)],
            ] as const,
        ),
        ...movers
          .slice(0, 5)
          .map(
            ({ term, before, after, places }) =>
              [
                'keyword',
                [
                  words(term),
                  cellOf(before),
                  { text: '→', ours: true, tone: 'quiet' },
                  cellOf(after),
                  ...(places === null ? [] : [change(places)]),
                ],
              ] as const,
          ),
        ...impact.flatMap(({ afterDays, charts, keywords }) =>
          Object.entries({ charts, keywords }).flatMap(([where, one]) =>
            one.state === 'measured'
              ? [[`${where}, ${afterDays} days`, moved(one.places, one.usual)] as const]
              : [],
          ),
        ),
      ]),
      ...(impact.some(({ charts, keywords }) => [charts, keywords].some(({ state }) => state === 'measured'))
        ? [quiet(caution)]
        : []),
    ])
}

function moved(places: number, usual: number | null): Cell[] {
  return [change(places), words(usual === null ? 'usual move unknown' : `usually ${number(usual)}`, 'quiet')]
}

/** Screenshots and videos are shown as counts: their URLs mean nothing to people. */
function listed(field: string, fact: Aso['timeline'][number]['fields'][number]['from']): Cell {
  return isSet(field) && fact.state === 'measured' ? words(countOfSet(fact.value)) : cellOf(fact)
}
