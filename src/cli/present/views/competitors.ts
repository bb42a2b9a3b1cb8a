import type { Block, Cell } from '../blocks.ts'
import { cellOf } from '../cells.ts'
import { money, number } from '../numbers.ts'
import { foundTitle } from './listing-facts.ts'
import {
  alsoBlocks,
  appTitle,
  namedIn,
  nameOf,
  pairs,
  part,
  quiet,
  table,
  title,
  words,
  workLines,
} from './parts.ts'
import type { ReplyOf, ViewOf } from './view.ts'

type Summary = ReplyOf<'search_competitors'>['items'][number]

const appColumns = {
  price: { title: 'price', cell: ({ price }: Summary): Cell => priceCell(price) },
  rating: { stays: 5 },
  ratingCount: { title: 'ratings', stays: 4 },
  name: { title: 'app', stays: 1 },
  storeId: { stays: 2 },
  namedIn: { title: 'in', cell: (app: Summary): Cell => namedIn(app.namedIn, app.country), stays: 3 },
}

/** Why an app is in a list, in plain words. */
const because = {
  title: 'because',
  wraps: true as const,
  cell: ({ reasons }: { reasons: readonly { detail: string }[] }): Cell =>
    words(reasons.map(({ detail }) => detail).join('; ')),
  stays: 2,
}

export const competitors = {
  search_competitors: {
    head: ({ total, items }) => [foundTitle(total, items.length, 'app')],
    columns: appColumns,
    empty: () =>
      'No stored app matches. Apps that were never collected cannot be found: request-ios-competitor takes one in.',
  } satisfies ViewOf<'search_competitors'>,

  list_competitor_categories: {
    head: ({ country }) => [title('Categories', country)],
    columns: {
      name: {
        title: 'category',
        cell: ({ name, parentId, categoryId }) => ({
          text: name,
          ...(categoryId === '36' ? { tone: 'strong' as const } : {}),
          ...(parentId && parentId !== '36' ? { text: `  ${name}` } : {}),
        }),
        after: '',
      },
      categoryId: { title: 'id' },
      parentId: { title: 'in' },
    },
  } satisfies ViewOf<'list_competitor_categories'>,

  get_similar_competitors: {
    head: ({ app, country, formula, alsoIn }) => [
      appTitle(app, country),
      ...alsoBlocks({ alsoIn }),
      quiet(`similar apps by ${formula}`),
    ],
    columns: {
      score: { cell: ({ score }) => ({ text: String(Math.round(score * 100)), number: true }), stays: 4 },
      'app.name': { stays: 1 },
      'app.storeId': { stays: 3 },
      'app.namedIn': { title: 'in', cell: ({ app }) => namedIn(app.namedIn, app.country), stays: 3 },
      reasons: because,
    },
    foot: ({ basis }) =>
      part(
        'What was looked at',
        '',
        table(basis, [
          { title: 'likeness', cell: ({ kind }) => kind.replaceAll('-', ' ') },
          {
            title: '',
            cell: ({ state, detail }) => words(detail, state === 'measured' ? undefined : 'warning'),
          },
        ]),
      ),
    empty: () => 'No stored app resembles it, by what was looked at.',
  } satisfies ViewOf<'get_similar_competitors'>,

  list_emerging_ios_competitors: {
    head: ({ lastRun }) => [title('Apps on the rise'), ...(lastRun ? runLines(lastRun, 'last run') : [])],
    columns: {
      'app.name': { cell: ({ app }) => words(nameOf(app)), stays: 1 },
      'app.storeId': { stays: 3 },
      'app.namedIn': { title: 'in', cell: ({ app, country }) => namedIn(app.namedIn, country), stays: 3 },
      reasons: because,
      score: { stays: 4 },
      firstSeenAt: { title: 'first seen', stays: 5 },
      taken: {
        title: 'intake',
        cell: ({ intake }) => words(intake ? intake.status : ''),
      },
    },
    empty: ({ lastRun }) =>
      lastRun
        ? 'The runs so far found no app on the rise.'
        : 'Nobody has looked: discover-emerging-ios-competitors starts a run.',
  } satisfies ViewOf<'list_emerging_ios_competitors'>,

  discover_emerging_ios_competitors: {
    head: (run) => [title('Looking for apps on the rise', run.country), ...runLines(run, 'run')],
  } satisfies ViewOf<'discover_emerging_ios_competitors'>,

  request_ios_competitor: {
    head: (intake) => [
      title(`Intake of ${intake.app}`, intake.country),
      ...pairs([
        ['store id', intake.storeId],
        ['intake id', intake.intakeId],
        ['failed', intake.failure && words(intake.failure.replaceAll('-', ' '), 'bad')],
      ]),
      ...workLines(intake, 'state'),
    ],
  } satisfies ViewOf<'request_ios_competitor'>,

  list_competitor_data_requests: {
    head: () => [title('Data requests')],
    columns: {
      storeId: { title: 'store id', stays: 2 },
      requestId: { stays: 20 },
      kind: { stays: 1 },
      status: { stays: 3 },
      demand: { title: 'asked', stays: 4 },
      note: {},
    },
    empty: () => 'This account asked for no data that passes the filters.',
    foot: ({ intakes }) => intakes.flatMap((intake) => workLines(intake, `intake, ${intake.country}`)),
  } satisfies ViewOf<'list_competitor_data_requests'>,

  request_competitor_data: {
    head: ({ items }) => [title('Asked for', items[0] ? `${items[0].storeId}, ${items[0].country}` : '')],
    columns: { kind: { stays: 1 }, requestId: { stays: 20 }, status: { stays: 2 }, demand: { title: 'asked' } },
    foot: () => [quiet('Recorded for the operator. Nothing is collected by asking.')],
  } satisfies ViewOf<'request_competitor_data'>,
}

const priceCell = (price: Summary['price']): Cell =>
  price.state === 'measured'
    ? { text: money(price.value.amount, price.value.currency), number: true }
    : cellOf(price, 'price')

type Run = ReplyOf<'discover_emerging_ios_competitors'>

function runLines(run: Run, name: string): Block[] {
  return [
    ...workLines(run, name),
    quiet(
      `${run.windowDays} days of evidence`,
      run.categoryId ? `category ${run.categoryId}` : 'all categories',
      `${number(run.examined)} apps examined`,
      `${number(run.found)} found, at most ${number(run.limit)}`,
      `${number(run.takenIn)} taken in`,
    ),
  ]
}
