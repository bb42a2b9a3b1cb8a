import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Tool } from '../contract/contract.ts'
import { flatArgumentsShape } from '../contract/flat-arguments.ts'
import type { Contract } from '../contract/operation.ts'
import { storefrontCodes } from '../vocabulary/storefronts.ts'
import type { CallContext, CallTool } from './calls.ts'
import { valuesOf } from './prompt.ts'
import { prompts } from './prompts.ts'
import { templates } from './resources.ts'

/** A request for completions, in the form of `completion/complete`. */
export const CompleteParams = z.looseObject({
  ref: z.union([
    z.looseObject({ type: z.literal('ref/prompt'), name: z.string() }),
    z.looseObject({ type: z.literal('ref/resource'), uri: z.string() }),
  ]),
  argument: z.looseObject({ name: z.string(), value: z.string() }),
  context: z.looseObject({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
})

/** Most values of one answer: the protocol allows 100, and nobody reads more than a screen of them. */
const mostValues = 20
/** Longer beginnings complete to nothing: no name is longer. */
const longestValue = 100

/** One value and the words it is found by. */
interface Choice {
  value: string
  words: string
}

/** Finds choices for what was typed, in order; they may hold more than what matches. */
type Source = (
  ask: (tool: Tool, given: Record<string, unknown>) => Promise<Record<string, unknown>>,
  typed: string,
  filled: Readonly<Record<string, string>>,
) => Promise<readonly Choice[]>

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' })

/** Where the values of an argument come from, by its name. */
const sources: Readonly<Record<string, Source>> = {
  country: async () =>
    storefrontCodes.map((value) => ({
      value,
      words: `${value} ${countryNames.of(value.toUpperCase()) ?? ''}`,
    })),
  app: async (ask, typed, filled) =>
    (await apps(ask, typed, filled)).map(({ words }) => ({ value: words, words })),
  rival: async (ask, typed, filled) =>
    (await apps(ask, typed, filled)).map(({ words }) => ({ value: words, words })),
  storeId: async (ask, typed, filled) =>
    (await apps(ask, typed, filled)).map(({ value, words }) => ({ value, words: `${value} ${words}` })),
  appId: async (ask) =>
    (await tracked(ask, {})).map(({ appId, words }) => ({ value: appId, words: `${appId} ${words}` })),
  category: async (ask, _typed, filled) =>
    (await categories(ask, filled)).map(({ words }) => ({ value: words, words })),
  categoryId: async (ask, _typed, filled) =>
    (await categories(ask, filled)).map(({ value, words }) => ({ value, words: `${value} ${words}` })),
  query: terms,
}

type Ask = Parameters<Source>[0]

async function tracked(ask: Ask, filled: Readonly<Record<string, string>>) {
  const { country } = filled
  const reply = await ask('list_aso_apps', { limit: 100, ...(country ? { country } : {}) })
  return (reply.items as Record<string, unknown>[]).map(({ appId, storeId, name }) => ({
    appId: String(appId),
    value: String(storeId),
    words: typeof name === 'string' ? name : String(storeId),
  }))
}

/** Apps by name, the tracked ones first. */
async function apps(
  ask: Ask,
  typed: string,
  filled: Readonly<Record<string, string>>,
): Promise<readonly Choice[]> {
  const own = matching(await tracked(ask, filled), typed)
  if (typed.trim() === '' || own.length >= mostValues) return own
  const { items } = await ask('search_competitors', {
    q: typed,
    country: filled.country || 'us',
    limit: mostValues,
  })
  const stored = (items as Record<string, unknown>[]).flatMap(({ storeId, name }) =>
    typeof name === 'string' ? [{ value: String(storeId), words: name }] : [],
  )
  return [...own, ...stored]
}

async function categories(ask: Ask, filled: Readonly<Record<string, string>>): Promise<readonly Choice[]> {
  const reply = await ask('list_competitor_categories', {
    country: filled.country || 'us',
    fields: ['categoryId', 'name'],
  })
  return (reply.items as Record<string, unknown>[]).map(({ categoryId, name }) => ({
    value: String(categoryId),
    words: String(name),
  }))
}

/** Keywords of the first tracked app of the storefront, then searched terms near what was typed. */
async function terms(ask: Ask, typed: string, filled: Readonly<Record<string, string>>) {
  const [first] = await tracked(ask, filled)
  const keywords = first
    ? await ask('get_aso_workstation', { appId: first.appId, windowDays: 7, fields: ['term'] })
    : { keywords: [] }
  const near = /[\p{L}\p{N}]/u.test(typed)
    ? await ask('explore_aso_keyword', {
        query: typed,
        country: filled.country || 'us',
        limit: 1,
        fields: ['related'],
      })
    : { related: [] }
  return [...(keywords.keywords as { term: string }[]), ...((near.related ?? []) as { term: string }[])].map(
    ({ term }) => ({ value: term, words: term }),
  )
}

/** Those whose words begin with what was typed, then those that hold it; each value once. */
function matching<C extends Choice>(choices: readonly C[], typed: string): C[] {
  const sought = typed.trim().toLowerCase()
  const at = ({ words, value }: C) => {
    const text = words.toLowerCase()
    if (value.toLowerCase().startsWith(sought) || text.startsWith(sought)) return 0
    return text.includes(` ${sought}`) ? 1 : text.includes(sought) ? 2 : 3
  }
  const found = choices.filter((one) => at(one) < 3).sort((one, other) => at(one) - at(other))
  return [...new Map(found.map((one) => [one.value, one])).values()]
}

/**
 * Values for an argument of a prompt or a variable of a resource template, likeliest first. Read through the tools, so that
 * a caller meets nothing it may not read. Empty where nothing is known; arguments that are free text have no completions.
 * @throws ProtocolError for an unknown prompt, template or argument
 */
export async function completed(
  contract: Contract,
  calls: ReadonlyMap<string, CallTool>,
  { ref, argument, context: given }: z.output<typeof CompleteParams>,
  context: CallContext,
) {
  const { name, value } = argument
  const fixed = fixedValues(contract, ref, name)
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined
  if (value.length > longestValue) return answer([])
  if (!source) return answer(matching(fixed, value))
  const ask: Ask = async (tool, asked) => {
    const result = await calls.get(tool)?.(asked, context)
    // What the caller may not read, or a country that is none, completes to nothing.
    return result && !result.isError ? (result.structuredContent as Record<string, unknown>) : nothing
  }
  return answer(matching(await source(ask, value, given?.arguments ?? {}), value))
}

const nothing = { items: [], keywords: [], related: [] }

const answer = (found: readonly Choice[]) => ({
  completion: {
    values: found.slice(0, mostValues).map(({ value }) => value),
    total: found.length,
    hasMore: found.length > mostValues,
  },
})

/** The values of an argument that takes only some. @throws ProtocolError for what is unknown */
function fixedValues(
  contract: Contract,
  ref: z.output<typeof CompleteParams>['ref'],
  argument: string,
): readonly Choice[] {
  if (ref.type === 'ref/prompt') {
    const prompt = prompts.find(({ name }) => name === ref.name)
    const taken = prompt?.arguments.find(({ name }) => name === argument)
    if (!taken) refuse(`There is no prompt ${quoted(ref.name)} with an argument ${quoted(argument)}.`)
    return choices(taken.values)
  }
  const template = templates.find(({ uriTemplate }) => uriTemplate === ref.uri)
  if (!template?.uriTemplate.includes(`{${argument}}`))
    refuse(`There is no template ${quoted(ref.uri)} with a variable ${quoted(argument)}.`)
  const operation = contract[template.tool]
  return choices(operation ? valuesOf(flatArgumentsShape(operation).shape[argument]) : [])
}

const choices = (values: readonly string[]) => values.map((value) => ({ value, words: value }))

const quoted = (text: string) => JSON.stringify(text.slice(0, 100))

function refuse(message: string): never {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
