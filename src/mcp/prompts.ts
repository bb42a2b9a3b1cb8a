import { type GetPromptResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Scope } from '../contract/scopes.ts'
import { creativeBrief } from './prompts/creative-brief.ts'
import { emergingApps } from './prompts/emerging-apps.ts'
import { importAds } from './prompts/import-ads.ts'
import { keywordGap } from './prompts/keyword-gap.ts'
import { morningCheck } from './prompts/morning-check.ts'
import type { Prompt } from './prompts/prompt.ts'

/** Instructions for the most common jobs, for agents that have the tools. */
export const prompts: readonly Prompt[] = [morningCheck, keywordGap, creativeBrief, emergingApps, importAds]

/** The prompts whose scopes the caller holds, in the form of `prompts/list`. */
export function listedPrompts(scopes: ReadonlySet<Scope>) {
  return prompts
    .filter((prompt) => prompt.scopes.every((scope) => scopes.has(scope)))
    .map(({ name, title, description, arguments: takes }) => ({ name, title, description, arguments: takes }))
}

/**
 * One prompt with its arguments filled in, in the form of `prompts/get`.
 * @throws ProtocolError when the name or an argument is wrong, or the caller lacks a scope
 */
export function writtenPrompt(
  name: string,
  given: Readonly<Record<string, unknown>>,
  scopes: ReadonlySet<Scope>,
): GetPromptResult {
  const prompt = prompts.find((one) => one.name === name)
  const known = prompts.map((one) => one.name).join(', ')
  if (!prompt) return refuse(`There is no prompt ${JSON.stringify(name.slice(0, 100))}; there are ${known}.`)
  const missing = prompt.scopes.filter((scope) => !scopes.has(scope))
  if (missing.length > 0) return refuse(`The prompt ${name} needs the scope ${missing.join(' and ')}.`)
  const text = prompt.write(given, scopes.has('content:write'))
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
}

function refuse(message: string): never {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
