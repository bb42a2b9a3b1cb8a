import type { Block, Cell } from '../blocks.ts'
import { cellOf, rankChangeCell } from '../cells.ts'
import { drawBar, rankSparkline, sparkline } from '../drawings/sparkline.ts'
import { minute, number } from '../numbers.ts'
import { plotPointOf } from './charts.ts'
import { isMediaSet, mediaCountOf, ratingCells } from './listing-facts.ts'
import {
  appTitle,
  barCell,
  optionalSection,
  otherStorefrontBlocks,
  pairBlocks,
  quietBlock,
  table,
  textCell,
} from './parts.ts'
import type { ReplyOf, ViewOf } from './view.ts'

type Aso = ReplyOf<'get_competitor_aso'>

export const listingViews = {
  get_competitor_aso: {
    head: (reply) => [
      appTitle(reply.app, reply.country),
      ...otherStorefrontBlocks(reply),
      ...visibilityPairs(reply),
      ...optionalSection('Listing texts', reply.audit.language ?? '', audit(reply)),
      ...optionalSection('Advice', '', advice(reply)),
      ...optionalSection(
        'Keywords',
        `${reply.keywords.ranked} of ${reply.keywords.total} ranked`,
        keywords(reply),
      ),
      ...optionalSection('Ratings', '', ratings(reply)),
      ...optionalSection('Listing changes', '', timeline(reply)),
      observed(reply),
    ],
  } satisfies ViewOf<'get_competitor_aso'>,
}

function observed({ country, listingObserved: { days, firstAt, lastAt } }: Aso): Block {
  if (firstAt === null || lastAt === null) return quietBlock(`No listing of ${country} was ever seen.`)
  return quietBlock(`Listing seen on ${days} days from ${firstAt.slice(0, 10)} to ${lastAt.slice(0, 10)}.`)
}

function visibilityPairs({ visibility }: Aso): Block[] {
  return pairBlocks([['visibility', visibilityCells(visibility)]])
}

/** A share with a bar and the numbers behind it. */
export function visibilityCells(visibility: Aso['visibility']): Cell[] {
  const { share, measured, keywords: all, ranked, newestPageAt } = visibility
  return [
    cellOf(share, 'share'),
    ...(share.state === 'estimated' ? [barCell(share.value)] : []),
    textCell(
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
        characters.state === 'measured' ? { text: drawBar(characters.value, limit, 10), ours: true } : null,
      stays: 5,
    },
    { title: 'searched', cell: ({ searched }) => searched, stays: 6 },
    {
      title: 'telling terms',
      cell: ({ terms }) =>
        textCell(
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
  return pairBlocks(
    all.map(({ weight, text }) => [weight, textCell(text, weight === 'high' ? weights.high : undefined)]),
  )
}

function keywords({ keywords: { items } }: Aso): Block[] {
  return table(items, [
    { title: '#', cell: ({ rank }) => rank, stays: 1 },
    { title: 'keyword', cell: ({ term, tracked }) => textCell(term, tracked ? 'strong' : undefined), stays: 2 },
    { title: '30 days', cell: ({ over30Days }) => over30Days, stays: 3 },
    { title: 'best', cell: ({ best }) => best, stays: 5 },
    { title: 'difficulty', cell: ({ difficulty }) => difficulty, name: 'difficulty', stays: 4 },
    {
      title: 'ranks',
      drawing: true,
      cell: ({ history }) => ({
        text: rankSparkline(
          history.map(({ rank }) => plotPointOf(rank)),
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
  return pairBlocks([
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
      quietBlock(`between ${minute(lastSeenAt)} and ${minute(firstSeenAt)}`),
      ...pairBlocks([
        ...fields.map(
          ({ field, from, to, comparison }) =>
            [
              field.replaceAll('-', ' '),
              comparison === 'not-compared'
                ? textCell('pictures may differ, not compared', 'quiet')
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
                  textCell(term),
                  cellOf(before),
                  { text: '→', ours: true, tone: 'quiet' },
                  cellOf(after),
                  ...(places === null ? [] : [rankChangeCell(places)]),
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
        ? [quietBlock(caution)]
        : []),
    ])
}

function moved(places: number, usual: number | null): Cell[] {
  return [
    rankChangeCell(places),
    textCell(usual === null ? 'usual move unknown' : `usually ${number(usual)}`, 'quiet'),
  ]
}

/** Screenshots and videos are shown as counts: their URLs mean nothing to people. */
function listed(field: string, fact: Aso['timeline'][number]['fields'][number]['from']): Cell {
  return isMediaSet(field) && fact.state === 'measured' ? textCell(mediaCountOf(fact.value)) : cellOf(fact)
}
