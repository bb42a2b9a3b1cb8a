import { contract, type Tool } from '../../contract/contract.ts'
import type { Operation } from '../../contract/operation.ts'
import { parametersOf } from './parameters.ts'
import { commandOf, flagOf, shellWord } from './words.ts'

/**
 * What a person may want to do after an answer: see the next page, or how the work goes that was started. Programs find
 * the same in the reply, and know what they asked for.
 */
export function nextSteps(tool: Tool, given: Readonly<Record<string, unknown>>, reply: unknown): string[] {
  const { ending, shownBy }: Operation = contract[tool]
  if (ending === 'remove') return ['Done.']
  const { nextCursor, status, previewToken } = reply as {
    nextCursor?: string | null
    status?: string
    previewToken?: string
  }
  if (previewToken)
    return [
      `To import these: rivalscope admin-import-paid-ads --preview-token ${shellWord(previewToken)} --wait`,
    ]
  if (nextCursor)
    return [`There is more: --all shows everything, --cursor ${shellWord(nextCursor)} the next page.`]
  if (!shownBy || (status !== 'queued' && status !== 'running')) return []
  const again =
    shownBy.tool === tool
      ? 'the same command again'
      : `rivalscope ${showingCommand(shownBy.tool as Tool, { ...given, ...(reply as object) })}`
  return [`The work goes on. To see how it stands: ${again}; --wait waits for its end.`]
}

/** The command that shows accepted work, with what it takes from the accepting call and its reply. */
function showingCommand(tool: Tool, known: Readonly<Record<string, unknown>>): string {
  const words = parametersOf(contract[tool])
    .filter(({ name, positional }) => positional || name === 'country' || name === 'categoryId')
    .filter(({ name }) => typeof known[name] === 'string')
    .flatMap(({ name, positional }) => [...(positional ? [] : [flagOf(name)]), shellWord(String(known[name]))])
  return [commandOf(tool), ...words].join(' ')
}
