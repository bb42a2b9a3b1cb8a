import { hash } from 'node:crypto'
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { storeIdIn } from '../api/refusals.ts'
import { flatArgumentsShape } from '../contract/flat-arguments.ts'
import type { Contract, Operation } from '../contract/operation.ts'
import { storefrontOf } from '../vocabulary/storefronts.ts'
import type { CallContext, CallTool } from './calls.ts'

type Given = Readonly<Record<string, unknown>>

/** Whether the client of a request can show a form to a person: it says so in every request of 2026. */
export function canAsk(meta: unknown): boolean {
  const { elicitation } = (Object(meta)[CLIENT_CAPABILITIES_META_KEY] ?? {}) as { elicitation?: unknown }
  if (typeof elicitation !== 'object' || elicitation === null) return false
  return 'form' in elicitation || !('url' in elicitation)
}

/** What came with a call that is made again: answers to the questions of the last round, and those of the rounds before. */
interface Answers {
  responses: Readonly<Record<string, unknown>> | undefined
  before: unknown
}

/** A form for a person. */
interface Question {
  /** `choices`, or `confirm` with a mark of the one write that it is about. */
  key: string
  message: string
  properties: ElicitRequestFormParams['requestedSchema']['properties']
}

/**
 * Calls for a client that can ask a person: first it has the person choose what is missing and confirm what the contract has asked
 * first. Nothing is remembered between rounds and nothing is granted by an answer: it is an argument like those of the model, and is
 * checked like them.
 * @param make makes the call, which may be made twice with other arguments where the first was refused
 * @returns a form for the client, or the result; where the person declines, one that says so, and nothing was done
 */
export async function callWithQuestions(
  { contract, calls, tool, context }: Asked,
  given: Given,
  { responses, before }: Answers,
  make: (given: Given) => Promise<CallToolResult>,
): Promise<CallToolResult | InputRequiredResult> {
  const operation = contract[tool]
  if (!operation) throw new TypeError(`The contract has no ${tool}.`)
  const answer = inputResponse(responses, choicesKey)
  if (answer.kind === 'elicit' && answer.action !== 'accept') return declined(answer.action, context)
  const accepted = answer.kind === 'elicit' ? answer.content : undefined
  const chosen = { ...choicesIn(operation, stateIn(before)), ...choicesIn(operation, accepted) }
  const whole = Object.keys(chosen).length > 0 ? { ...given, ...chosen } : given
  const look = lookFor(calls, context)
  const where = await storefrontQuestion(operation, whole, look)
  if (where) return formOf(where, chosen)
  const confirm = await confirmation(operation, whole, look)
  const said = inputResponse(responses, confirm?.key ?? '')
  if (confirm && said.kind !== 'elicit') return formOf(confirm, chosen)
  if (said.kind === 'elicit' && !(said.action === 'accept' && said.content?.[confirmName] === true))
    return declined(said.action === 'cancel' ? 'cancel' : 'decline', context)
  const result = await make(whole)
  const question = await choiceQuestion(operation, whole, result, look)
  return question ? formOf(question, chosen) : result
}

interface Asked {
  contract: Contract
  calls: ReadonlyMap<string, CallTool>
  tool: string
  context: CallContext
}

const choicesKey = 'choices'
const confirmName = 'confirm'

function formOf({ key, message, properties }: Question, chosen: Given): InputRequiredResult {
  const requestedSchema = { type: 'object' as const, properties, required: Object.keys(properties) }
  return inputRequired({
    inputRequests: { [key]: inputRequired.elicit({ message, requestedSchema }) },
    ...(Object.keys(chosen).length > 0 ? { requestState: JSON.stringify(chosen) } : {}),
  })
}

function declined(action: 'decline' | 'cancel', { requestId }: CallContext): CallToolResult {
  const detail =
    action === 'decline' ? 'The person declined.' : 'The person closed the question without an answer.'
  const next = 'Nothing was done and nothing was stored. Ask them in words before you call this again.'
  return {
    isError: true,
    content: [{ type: 'text', text: `${detail} ${next}\nRequest ${requestId}.` }],
    structuredContent: { done: false, answer: action, detail, next, requestId },
  }
}

function stateIn(state: unknown): unknown {
  try {
    return typeof state === 'string' ? JSON.parse(state) : undefined
  } catch {
    return undefined
  }
}

/** Those of the answers that are for arguments which are asked for. */
function choicesIn(operation: Operation, answers: unknown): Record<string, unknown> {
  const { shape } = flatArgumentsShape(operation)
  const known = Object.entries(Object(answers) as Given).filter(
    ([name]) => Object.hasOwn(shape, name) && (isPicked(name) || optionsOf(operation, name)),
  )
  return Object.fromEntries(known)
}

const isPicked = (name: string) => appNames.has(name) || name === 'appId' || name === 'country'

/** Arguments that name an app of the store. */
const appNames: ReadonlySet<string> = new Set(['storeId', 'rivalStoreId', 'app', 'competitor'])

type Look = (tool: string, given: Given) => Promise<Given>

/** What a read replies; nothing where it is refused. */
const lookFor =
  (calls: ReadonlyMap<string, CallTool>, context: CallContext): Look =>
  async (tool, given) => {
    const result = await calls.get(tool)?.(given, context)
    return result && !result.isError ? ((result.structuredContent ?? {}) as Given) : {}
  }

/** Asks for what a refused call lacks, where a person can choose all of it from a list; else the refusal stands. */
async function choiceQuestion(
  operation: Operation,
  given: Given,
  { isError, structuredContent }: CallToolResult,
  look: Look,
): Promise<Question | undefined> {
  const { code, errors } = (structuredContent ?? {}) as { code?: string; errors?: { pointer: string }[] }
  if (!isError || code !== 'invalid-request' || !errors) return undefined
  const properties: Question['properties'] = {}
  for (const { pointer } of errors) {
    const name = pointer.slice(1)
    const choice = await choiceOf(operation, name, given, look)
    if (!choice) return undefined
    properties[name] = choice
  }
  const named = Object.keys(properties).map((name) => questions.get(name) ?? `Which ${name}?`)
  return { key: choicesKey, message: `${operation.title}: ${named.join(' ')}`, properties }
}

const questions: ReadonlyMap<string, string> = new Map([
  ...[...appNames].map((name) => [name, 'Which app is meant?'] as const),
  ['appId', 'Which of the tracked apps is meant?'],
  ['country', 'Which storefront is meant?'],
  ['role', 'Is it your own app or a rival?'],
])

type Choice = Question['properties'][string]

async function choiceOf(
  operation: Operation,
  name: string,
  given: Given,
  look: Look,
): Promise<Choice | undefined> {
  const value = given[name]
  if (appNames.has(name)) return typeof value === 'string' ? appsNamed(value, given.country, look) : undefined
  if (name === 'appId') return trackedApps(value, look)
  const options = optionsOf(operation, name)
  if (!options || !isLeftOut(value)) return undefined
  const titled = options.values.map((one) => ({ const: one, title: one }))
  return options.several
    ? { type: 'array', title: name, minItems: 1, items: { anyOf: titled } }
    : { type: 'string', title: name, oneOf: titled }
}

const isLeftOut = (value: unknown) => value === undefined || value === null || value === ''

const mostOptions = 20

/** The words of a required option of a write; a model that reads mends its call by itself. */
function optionsOf(operation: Operation, name: string): { values: string[]; several: boolean } | undefined {
  const shape = flatArgumentsShape(operation).shape as Readonly<Record<string, unknown>>
  const field = Object.hasOwn(shape, name) ? shape[name] : undefined
  const several = field instanceof z.ZodArray
  const words = several ? field.element : field
  const isOfAd = name === 'platform' && 'archiveId' in shape
  if (operation.method === 'GET' || isOfAd || !(words instanceof z.ZodEnum)) return undefined
  const values = words.options.map(String)
  return values.length > mostOptions ? undefined : { values, several }
}

/** Several apps that a name may mean; undefined where none or one has it. */
async function appsNamed(text: string, country: unknown, look: Look): Promise<Choice | undefined> {
  const q = text.trim()
  if (q === '' || q.length > longestName) return undefined
  const { items = [] } = (await look('search_competitors', {
    q,
    limit: mostApps,
    ...(typeof country === 'string' ? { country } : {}),
  })) as { items?: { storeId: string; name: unknown; developer: unknown }[] }
  const asked = q.toLowerCase()
  const same = items.filter(({ name }) => typeof name === 'string' && name.toLowerCase() === asked)
  if (items.length < 2 || same.length === 1) return undefined
  return picked(
    'App',
    items.map(({ storeId, name, developer }) => [storeId, [name, developer, storeId]]),
  )
}

const longestName = 100
const mostApps = 8

/** Several tracked apps with a name or id, or all of them where none is given. */
async function trackedApps(value: unknown, look: Look): Promise<Choice | undefined> {
  if (!isLeftOut(value) && typeof value !== 'string') return undefined
  const { items = [] } = (await look('list_aso_apps', { limit: 100 })) as { items?: TrackedApp[] }
  const asked = isLeftOut(value) ? '' : String(value).trim().toLowerCase()
  const meant = items.filter(
    ({ name, storeId }) => storeId === asked || String(name).toLowerCase().includes(asked),
  )
  if (meant.length < 2 || meant.length > mostOptions) return undefined
  return picked(
    'Tracked app',
    meant.map((app) => [app.appId, [app.name, app.storeId, app.country, app.role]]),
  )
}

interface TrackedApp {
  appId: string
  storeId: string
  name: unknown
  country: string
  role: string
}

const picked = (title: string, options: readonly (readonly [value: string, words: unknown[]])[]): Choice => ({
  type: 'string',
  title,
  oneOf: options.map(([value, words]) => ({ const: value, title: words.flatMap(plain).join(', ') })),
})

/** A word of strangers for a form, on one line; none for what is not known. */
const plain = (word: unknown): string[] =>
  typeof word === 'string'
    ? [
        word
          .slice(0, 60)
          .toWellFormed()
          .replaceAll(/\s+|\p{C}/gu, ' '),
      ]
    : []

/** Asks for the storefront of a write that leaves it out, where the app is known in others than the default one. */
async function storefrontQuestion(
  operation: Operation,
  given: Given,
  look: Look,
): Promise<Question | undefined> {
  const text = given.storeId ?? given.app
  const { shape } = flatArgumentsShape(operation)
  if (operation.method === 'GET' || !('country' in shape) || !isLeftOut(given.country)) return undefined
  const storeId = typeof text === 'string' || typeof text === 'number' ? storeIdIn(String(text)) : undefined
  if (storeId === undefined) return undefined
  const reply = await look('get_competitor', { storeId, fields: 'country,name,alsoIn' })
  const { country, name, alsoIn = [] } = reply as { country?: string; name?: unknown; alsoIn?: string[] }
  if (country === undefined || typeof name === 'string' || alsoIn.length === 0) return undefined
  const known = [...alsoIn.slice(0, mostOptions), country]
  return {
    key: choicesKey,
    message: `${operation.title}: ${questions.get('country')} Nothing of the app is known in ${country}, the default.`,
    properties: {
      country: picked(
        'Storefront',
        known.map((code) => [code, [storefrontOf(code).name, code]]),
      ),
    },
  }
}

/** Asks before a write that the contract has confirmed: about this very write, so that no answer counts for another. */
async function confirmation(
  { asksFirst, title }: Operation,
  given: Given,
  look: Look,
): Promise<Question | undefined> {
  if (!asksFirst) return undefined
  const { items = [], nextCursor } = (await look('list_aso_apps', { limit: 100 })) as {
    items?: TrackedApp[]
    nextCursor?: unknown
  }
  const app = items.find(({ appId }) => appId === given.appId)
  if (!app && typeof nextCursor !== 'string') return undefined
  const words = app ? [app.name, app.storeId, app.country] : [given.appId]
  return {
    key: `${confirmName}-${hash('sha256', `${title} ${given.appId}`, 'base64url').slice(0, 16)}`,
    message: `${title}: ${words.flatMap(plain).join(', ')}? ${asksFirst}`,
    properties: { [confirmName]: { type: 'boolean', title: 'Yes' } },
  }
}
