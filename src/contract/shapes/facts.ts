import { z } from 'zod'
import { notMeasuredReasons } from '../../vocabulary/facts.ts'
import { CategoryId, Formula, Money, Timestamp, Url } from './primitives.ts'

const NotMeasuredReason = z.enum(notMeasuredReasons).meta({
  id: 'NotMeasuredReason',
  description:
    '`never-collected`: nobody has looked. `not-carried`: the sources looked at do not carry this field. `unreadable`: a source carries it, in a form that cannot be read. `no-snapshot`: the chart or result page was not captured then. `partial-snapshot`: only ranks of other apps are known of the chart then. `hidden-upstream`: the network or library hides it. `suspect-empty`: the source answered empty, or with far less, where it had results before. `source-failed`: the source could not be read the last time, and nothing is stored from before. `outside-valid-range`: the model says nothing there. `too-little-evidence`: too few observations to carry a number. `language-not-validated`: nothing was found, and for the language of the text, or one that cannot be told, it was not shown that nearly all is found. `not-configured`: needs something the operator has not configured. `pending`: it is being made, or about to be.',
})

const evidenceIndex = z.int().min(0).describe('Index into the nearest `evidence` list.')

const AbsentFact = z.object({ state: z.literal('absent'), evidence: evidenceIndex }).meta({
  id: 'AbsentFact',
  description: 'Looked for and not there: the source carries this field and had none.',
})

export const NotMeasured = z
  .object({ state: z.literal('not-measured'), reason: NotMeasuredReason })
  .meta({ id: 'NotMeasured', description: 'Nobody knows, and why.' })

/**
 * A value in three states: `measured`, `absent` (looked for, not there) or `not-measured` (with the reason).
 * @param id name of the shape in the OpenAPI document
 */
export function fact<V extends z.ZodType>(id: string, value: V, description: string) {
  const measured = z
    .object({ state: z.literal('measured'), value, evidence: evidenceIndex })
    .meta({ id: `Measured${id}`, description: `${description} As observed.` })
  return z
    .discriminatedUnion('state', [measured, AbsentFact, NotMeasured])
    .meta({ id: `${id}Fact`, description: `${description} In three states.` })
}

export const TextFact = fact('Text', z.string(), 'A text.')
export const TextListFact = fact('TextList', z.array(z.string()), 'A list of texts.')
export const NumberFact = fact('Number', z.number(), 'A number.')
export const CountFact = fact('Count', z.int().min(0), 'A count.')
export const MoneyFact = fact('Money', Money, 'A price.')
export const TimeFact = fact('Time', Timestamp, 'A point in time.')
export const UrlFact = fact('Url', Url, 'An address.')

const Category = z
  .object({ categoryId: CategoryId, name: z.string() })
  .meta({ id: 'Category', description: 'An Apple genre.' })
export const CategoryFact = fact('Category', Category, 'A category.')
export const CategoryListFact = fact(
  'CategoryList',
  z.array(Category),
  "Categories, the app's primary one first.",
)

const InAppPurchase = z
  .object({
    name: z.string(),
    price: z.string().describe('With its currency, as the storefront writes it, such as `$4.99`.'),
  })
  .meta({ id: 'InAppPurchase', description: 'Something an app sells.' })
export const InAppPurchasesFact = fact('InAppPurchases', z.array(InAppPurchase), 'What an app sells.')

const Compatibility = z
  .object({ device: z.string(), requirement: z.string().describe('Such as `Requires iOS 16.0 or later.`') })
  .meta({ id: 'Compatibility', description: 'What a kind of device needs to run an app.' })
export const CompatibilityFact = fact('Compatibility', z.array(Compatibility), 'Where an app runs.')

/** An in-app event, in the words of the page. */
export const appEvent = {
  eventId: z.string(),
  name: z.string(),
  kind: z.string().describe('As the page writes it, such as `Challenge`.'),
  startsAt: Timestamp,
  endsAt: Timestamp.nullable().describe('Null where none is stated. As stated, even before the start.'),
  shortDescription: z.string().nullable(),
  description: z.string().nullable(),
  imageUrl: Url.nullable(),
  videoUrl: Url.nullable(),
}

const AppEvent = z.object(appEvent).meta({ id: 'AppEvent', description: 'An in-app event.' })
export const EventsFact = fact('AppEvents', z.array(AppEvent), 'In-app events, by start.')

/** A computed number in three states, with no upstream observation of its own. */
export const Score = z
  .discriminatedUnion('state', [
    z
      .object({
        state: z.literal('measured'),
        value: z.number(),
        formula: Formula,
      })
      .meta({ id: 'MeasuredScore', description: 'A computed number.' }),
    NotMeasured,
  ])
  .meta({ id: 'Score', description: 'A number computed here, with the formula that made it.' })

/** A count of stored things. Zero means that there are none; it is not measured while nobody has collected that kind. */
export const StoredCount = z
  .discriminatedUnion('state', [
    z
      .object({ state: z.literal('measured'), value: z.int().min(0) })
      .meta({ id: 'MeasuredStoredCount', description: 'How many are stored.' }),
    NotMeasured,
  ])
  .meta({ id: 'StoredCount', description: 'How many of a kind are stored for this app.' })

/** A figure of many things together. Not measured where the inputs are hidden. */
export const SummedCount = z
  .discriminatedUnion('state', [
    z
      .object({ state: z.literal('measured'), value: z.int().min(0) })
      .meta({ id: 'MeasuredSummedCount', description: 'A count over several.' }),
    NotMeasured,
  ])
  .meta({ id: 'SummedCount', description: 'A count over several, or why there is none.' })
