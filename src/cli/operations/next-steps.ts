import { contract, type Tool } from '../../contract/contract.ts'
import type { Operation } from '../../contract/operation.ts'
import { showingCall } from '../../contract/showing-call.ts'
import { commandLine } from './command-line.ts'
import { parametersOf } from './parameters.ts'
import { shellWord } from './words.ts'

/**
 * What a person may want to do after an answer: see the next page, or how the work goes that was started. Programs find
 * the same in the reply, and know what they asked for.
 */
export function nextSteps(tool: Tool, given: Readonly<Record<string, unknown>>, reply: unknown): string[] {
  const operation: Operation = contract[tool]
  if (operation.ending === 'remove') return ['Done.']
  const { nextCursor, status, previewToken, waitingForWorker } = reply as {
    nextCursor?: string | null
    status?: string
    waitingForWorker?: { since: string }
    previewToken?: string
  }
  if (previewToken)
    return [
      `To import these: rivalscope admin-import-paid-ads --preview-token ${shellWord(previewToken)} --wait`,
    ]
  if (nextCursor)
    return [`There is more: --all shows everything, --cursor ${shellWord(nextCursor)} the next page.`]
  const shown = showingCall(contract, operation, reply as Readonly<Record<string, unknown>>, given)
  if (!shown || (status !== 'queued' && status !== 'running')) return []
  const again =
    shown.tool === tool
      ? 'the same command again'
      : commandLine(shown.tool, shown.arguments, parametersOf(contract[shown.tool as Tool]))
  if (waitingForWorker) return [nobodyWorks(waitingForWorker), `To see how it stands: ${again}.`]
  return [`The work goes on. To see how it stands: ${again}; --wait waits for its end.`]
}

/** Distinguishes queued work without a worker from work in progress. */
export const nobodyWorks = ({ since }: { since: string }) =>
  `It waits for a worker: no process of this installation works on jobs, since ${since}. The operator starts one with rivalscope work.`
