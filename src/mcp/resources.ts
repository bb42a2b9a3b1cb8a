import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server'
import type { Tool } from '../contract/contract.ts'
import type { Contract } from '../contract/operation.ts'
import type { Scope } from '../contract/scopes.ts'
import type { CallContext, CallTool } from './calls.ts'

interface Template {
  /** Variables in braces are arguments of the operation. */
  uriTemplate: string
  name: string
  title: string
  /** The operation that reads it. */
  tool: Tool
}

/** What can be read by address: each row is a reading operation of the contract. */
export const templates: readonly Template[] = [
  {
    uriTemplate: 'rivalscope://apps/{country}/{storeId}',
    name: 'app',
    title: 'An app in a storefront',
    tool: 'get_competitor',
  },
  {
    uriTemplate: 'rivalscope://apps/{country}/{storeId}/aso',
    name: 'listing',
    title: 'The listing of an app, its changes and ranks',
    tool: 'get_competitor_aso',
  },
  {
    uriTemplate: 'rivalscope://tracked/{appId}',
    name: 'tracked_app',
    title: 'Report of a tracked app',
    tool: 'get_aso_workstation',
  },
  {
    uriTemplate: 'rivalscope://keywords/{country}/{query}',
    name: 'keyword',
    title: 'A keyword with its newest result page',
    tool: 'explore_aso_keyword',
  },
  {
    uriTemplate: 'rivalscope://charts/{country}/{chart}/{categoryId}',
    name: 'chart',
    title: 'The newest snapshot of an Apple chart',
    tool: 'get_apple_charts',
  },
  {
    uriTemplate: 'rivalscope://categories/{country}',
    name: 'categories',
    title: 'The categories of a storefront',
    tool: 'list_competitor_categories',
  },
  {
    uriTemplate: 'rivalscope://ads/{platform}/{archiveId}',
    name: 'ad',
    title: 'An ad of a library',
    tool: 'get_paid_ad',
  },
  {
    uriTemplate: 'rivalscope://posts/{postId}',
    name: 'post',
    title: 'A post of a network',
    tool: 'get_organic_content',
  },
]

const mimeType = 'application/json'

/** The templates whose operation the caller may use, in the form of `resources/templates/list`. */
export function listedTemplates(contract: Contract, scopes: ReadonlySet<Scope>) {
  return templates
    .filter(({ tool }) => isAllowed(contract, tool, scopes))
    .map(({ uriTemplate, name, title, tool }) => ({
      ...{ uriTemplate, name, title, mimeType },
      description: contract[tool]?.summary ?? '',
    }))
}

const isAllowed = (contract: Contract, tool: Tool, scopes: ReadonlySet<Scope>) => {
  const operation = contract[tool]
  return operation !== undefined && scopes.has(operation.scope)
}

/** Resources of one page of a listing. */
const pageLength = 50

/**
 * The tracked apps of the account, in the form of `resources/list`: own ones first, 50 a page. Empty for a caller that may
 * not read.
 * @throws ProtocolError for a cursor that is none of this listing
 */
export async function listedResources(
  contract: Contract,
  calls: ReadonlyMap<string, CallTool>,
  cursor: string | undefined,
  context: CallContext,
) {
  const tool = 'list_aso_apps'
  const call = calls.get(tool)
  if (!call || !isAllowed(contract, tool, context.caller.scopes)) return { resources: [] }
  const { items, nextCursor } = replyOf(
    await call({ limit: pageLength, ...(cursor === undefined ? {} : { cursor }) }, context),
  ) as unknown as TrackedApps
  return {
    resources: items.map(({ appId, storeId, name, country, role }) => ({
      uri: `rivalscope://tracked/${appId}`,
      name: `${typeof name === 'string' ? name : storeId} (${country}, ${role})`,
      description: `Keywords, ranks and visibility; the app itself is rivalscope://apps/${country}/${storeId}.`,
      mimeType,
    })),
    ...(typeof nextCursor === 'string' ? { nextCursor } : {}),
  }
}

interface TrackedApps {
  items: { appId: string; storeId: string; name: unknown; country: string; role: string }[]
  nextCursor: unknown
}

/** Longer addresses are refused before they are looked at. */
const longestAddress = 1_000

/**
 * One resource, read by its operation and shown as that tool shows it.
 * @throws ProtocolError for an address that none of the templates has, and where the operation refuses
 */
export async function readResource(
  calls: ReadonlyMap<string, CallTool>,
  uri: string,
  context: CallContext,
): Promise<ReadResourceResult> {
  const found = uri.length <= longestAddress ? resourceAt(uri) : undefined
  if (!found) {
    const known = templates.map(({ uriTemplate }) => uriTemplate).join(', ')
    throw new ResourceNotFoundError(
      uri.slice(0, longestAddress),
      `There is no resource ${JSON.stringify(uri.slice(0, 200))}; there are ${known}.`,
    )
  }
  const call = calls.get(found.tool)
  if (!call) throw new TypeError(`The contract has no ${found.tool}.`)
  const reply = replyOf(await call(found.given, context))
  return { contents: [{ uri, mimeType, text: JSON.stringify(reply) }] }
}

/** The operation and arguments behind an address; undefined where it has the form of no template. */
function resourceAt(uri: string): { tool: Tool; given: Record<string, string> } | undefined {
  const parts = uri.split('/')
  for (const { uriTemplate, tool } of templates) {
    const steps = uriTemplate.split('/')
    if (steps.length !== parts.length) continue
    const given: Record<string, string> = {}
    const fits = steps.every((step, index) => {
      const part = parts[index] ?? ''
      const variable = variableIn(step)
      if (variable === undefined) return step === part
      const value = decoded(part)
      if (!value) return false
      given[variable] = value
      return true
    })
    if (fits) return { tool, given }
  }
  return undefined
}

const variableIn = (step: string) => /^\{(\w+)\}$/.exec(step)?.[1]

/** Undefined for a broken escape. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** @throws ProtocolError with what the tool said, where it failed */
function replyOf({ isError, structuredContent }: CallToolResult): Record<string, unknown> {
  const reply = (structuredContent ?? {}) as Record<string, unknown>
  if (!isError) return reply
  const code = reply.code === 'internal' ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams
  throw new ProtocolError(code, `${reply.title} (${reply.code}). ${reply.detail}`, reply)
}
