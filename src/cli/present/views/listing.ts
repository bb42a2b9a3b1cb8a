import type { Block, Cell } from '../blocks.ts'
import { cellOf, rankChangeCell } from '../cells.ts'
import { drawBar, rankSparkline, sparkline } from '../drawings/sparkline.ts'
import { minute, number } from '../numbers.ts'
import { plotPointOf } from './charts.ts'
import { isMediaSet, mediaCountOf, ratingCells } from './listing-facts.ts'
import {
  appTitle,
  barCell,
  localizationBlocks,
  optionalSection,
  otherStorefrontBlocks,
  pairBlocks,
  quietBlock,
  section,
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
      ...localizationBlocks(reply),
      ...visibilityPairs(reply),
      ...optionalSection('Listing texts', reply.audit.language ?? '', audit(reply)),
      ...optionalSection('Advice', '', advice(reply)),
      ...optionalSection(
        'Keywords',
        `${reply.keywords.ranked} of ${reply.keywords.total} ranked`,
        keywords(reply),
      ),
      ...coverage(reply),
      ...optionalSection('Ratings', '', ratings(reply)),
      ...optionalSection('Listing changes', '', timeline(reply)),
      observed(reply),
    ],
  } satisfies ViewOf<'get_competitor_aso'>,
}

function observed({ country, listingObserved: { days, firstAt, lastAt } }: Aso): Block {
  if (firstAt === null || lastAt === null) return quietBlock(`No listing of ${country} was ever seen.`)
  return quietBlock(
    `Listing seen on ${days} ${days === 1 ? 'day' : 'days'} from ${firstAt.slice(0, 10)} to ${lastAt.slice(0, 10)}.`,
  )
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

type Coverage = Aso['keywordCoverage']
type Localization = Coverage['localizations'][number]['localization']

const fieldLetters = { name: 'N', subtitle: 'S', 'keyword-field': 'K' } as const

/** Keywords by localization, with the fields that hold each, then what is said twice, and the room left. */
function coverage({ keywordCoverage, country }: Aso): Block[] {
  const { told, localizations, counts, keywords: all, repeated, practice } = keywordCoverage
  const heading = section(
    'Keyword coverage',
    told ? `${counts.total - counts.uncovered - counts.split} of ${counts.total} covered` : '',
  )
  if (!told)
    return [
      heading,
      quietBlock(
        `${country} supports ${localizations.map(({ localization }) => localization).join(' ')}: room, not words. Your own texts come with rivalscope import listing FOLDER.`,
      ),
    ]
  const read = localizations.filter(({ toldAt }) => toldAt !== null)
  return [
    heading,
    ...table(all, [
      { title: 'keyword', cell: ({ term }) => textCell(term), stays: 1 },
      {
        title: 'covered',
        cell: ({ standing }) => textCell(standing.replaceAll('-', ' '), tones[standing]),
        stays: 2,
      },
      ...read.map(({ localization }, index) => ({
        title: localization,
        cell: (keyword: Coverage['keywords'][number]) => heldIn(keyword, localization),
        stays: 4 + index,
      })),
      { title: 'missing', cell: ({ missing }) => textCell(missing.join(' ')), stays: 3 },
    ]),
    quietBlock('N name, S subtitle, K keyword field; ~ likely, in brackets some of its words.'),
    ...table(localizations, [
      { title: 'localization', cell: ({ localization }) => textCell(localization), stays: 1 },
      { title: 'name', cell: ({ texts }) => roomLeft(texts.find(({ field }) => field === 'name')), stays: 2 },
      {
        title: 'subtitle',
        cell: ({ texts }) => roomLeft(texts.find(({ field }) => field === 'subtitle')),
        stays: 3,
      },
      {
        title: 'keywords',
        cell: ({ texts }) => roomLeft(texts.find(({ field }) => field === 'keyword-field')),
        stays: 4,
      },
    ]),
    ...pairBlocks([
      [
        'said twice',
        textCell(
          repeated
            .slice(0, 20)
            .map(
              ({ word, places }) =>
                `${word} (${[...new Set(places.map(({ localization }) => localization))].join(' ')})`,
            )
            .join(', '),
        ),
      ],
    ]),
    quietBlock(practice),
  ]
}

const tones = {
  'one-field': 'good',
  'across-fields': 'good',
  likely: undefined,
  split: 'warning',
  uncovered: 'bad',
} as const

function heldIn({ in: held }: Coverage['keywords'][number], code: Localization): Cell {
  const found = held.find(({ localization }) => localization === code)
  if (!found) return textCell('')
  const letters = found.fields.map((field) => fieldLetters[field]).join(found.how === 'one-field' ? ' ' : '+')
  if (found.how === 'some-words') return textCell(`(${letters})`, 'quiet')
  return textCell(found.how === 'likely' ? `~${letters}` : letters)
}

/** Characters left, or why there is no number. */
function roomLeft(text: Coverage['localizations'][number]['texts'][number] | undefined): Cell {
  if (!text || text.characters === null) return textCell('not told', 'quiet')
  if (text.characters === 0) return textCell('empty', 'warning')
  return { text: `${number(text.left ?? 0)} left`, number: true }
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
