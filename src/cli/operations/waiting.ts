import type { AnyCall } from '../../client/client.ts'
import { WorkNotDone, type WorkState } from '../../client/failures.ts'
import type { Tool } from '../../contract/contract.ts'
import type { CommandContext } from '../command-context.ts'
import { harmless } from '../present/screen-text.ts'
import { StreamTerminal } from '../terminal.ts'
import type { Answers } from './answers.ts'
import { nobodyWorks } from './next-steps.ts'
import { commandOf } from './words.ts'

/** Waits for accepted work, shows its progress and its result: 1 when it failed. */
export async function waitForEnd(
  call: AnyCall,
  tool: Tool,
  answers: Answers,
  context: CommandContext,
): Promise<0 | 1> {
  const { signal } = context
  using terminal = new StreamTerminal(context)
  let toldOfWaiting = false
  try {
    const ended = await call.ended({
      signal,
      longestPauseSeconds: 3,
      onProgress: (work) => {
        terminal.progress(progressOf(tool, work))
        const { waitingForWorker } = work as { waitingForWorker?: { since: string } }
        if (waitingForWorker && !toldOfWaiting) terminal.note(harmless(nobodyWorks(waitingForWorker)))
        toldOfWaiting ||= waitingForWorker !== undefined
      },
    })
    terminal[Symbol.dispose]()
    await answers.show(ended)
    if (ended.status === 'partial')
      terminal.note(harmless(`Something was left out: ${ended.lastError?.message ?? 'it does not say what'}`))
    return 0
  } catch (error) {
    if (signal.aborted) terminal.note('Not waiting any longer: the work goes on.')
    if (!(error instanceof WorkNotDone)) throw error
    terminal[Symbol.dispose]()
    await answers.show(error.work)
    terminal.note(
      error.reason === 'failed'
        ? harmless(`error: the work failed: ${error.work.lastError?.message ?? 'it does not say why'}`)
        : `error: ${error.message}`,
    )
    return 1
  }
}

function progressOf(tool: Tool, { status, progress }: WorkState) {
  return {
    label: `${commandOf(tool)}, ${status}`,
    done: progress?.done ?? 0,
    total: progress?.total ?? 0,
    unit: harmless(progress?.unit ?? 'records'),
  }
}
