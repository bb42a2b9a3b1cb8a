import type { AnyCall } from '../../client/client.ts'
import { WorkNotDone, type WorkState } from '../../client/failures.ts'
import { contract, type Tool } from '../../contract/contract.ts'
import type { Operation } from '../../contract/operation.ts'
import { workStatusCall } from '../../contract/work-status-call.ts'
import type { CommandContext } from '../command-context.ts'
import { ConnectionError, type ConnectionOptions, connectionOf } from '../connection.ts'
import { withoutControls } from '../present/harmless-text.ts'
import { styleOf } from '../present/style.ts'
import { StreamTerminal } from '../terminal.ts'
import { Answers } from './answers.ts'
import { needsAppResolution, resolveAppArguments } from './app-arguments.ts'
import { commandLine } from './command-line.ts'
import { explainOperationFailure } from './failure-words.ts'
import { fieldsFrom } from './fields.ts'
import { argumentsFrom, callsFromInputList, joined, type TypedArguments } from './given.ts'
import { InputError, StandardInput } from './json-input.ts'
import type { OperationCommand } from './operation-command.ts'
import { type Parameter, parametersOf } from './parameters.ts'
import { commandOfTool, quoteForShellIfNeeded } from './words.ts'

/** The options of a command that are no arguments of its operation. */
interface AnswerFlags extends ConnectionOptions {
  json?: boolean
  fields?: string
  all?: boolean
  wait?: boolean
}

/**
 * Performs a command that has been parsed. Answers its exit code: 0, 1 when it failed, 2 when it was called wrongly, 130 or
 * 143 when it was interrupted.
 */
export async function performOperation(
  command: OperationCommand,
  parameters: readonly Parameter[],
  context: CommandContext,
): Promise<number> {
  const { signal } = context
  const options = command.opts<AnswerFlags>()
  try {
    return await runOperation(command.tool, parameters, typedArgumentsOf(command, parameters), options, context)
  } catch (error) {
    if (signal.aborted) return (signal.reason as Error).message === 'SIGTERM' ? 143 : 130
    const explanation = explainOperationFailure(error, parameters)
    if (!explanation) throw error
    noteOn(context)(explanation.message)
    return explanation.code
  }
}

/** The values of a parsed command by argument: positional for parts of the path, otherwise from options. */
export function typedArgumentsOf(command: OperationCommand, parameters: readonly Parameter[]): TypedArguments {
  const places = parameters.filter(({ positional }) => positional)
  return {
    ...command.opts<Record<string, string>>(),
    ...Object.fromEntries(places.map(({ name }, index) => [name, command.args[index]])),
  }
}

/**
 * Calls an operation as the command line says, and shows its answer on standard output.
 * @throws UsageError, ConnectionError and ProfileFileError before anything is asked; failures of the client
 */
async function runOperation(
  tool: Tool,
  parameters: readonly Parameter[],
  written: TypedArguments,
  flags: AnswerFlags,
  context: CommandContext,
): Promise<0 | 1> {
  const { env, stdout, signal } = context
  const note = noteOn(context)
  const operation: Operation = contract[tool]
  const stdin = new StandardInput(context)
  const otherwise = needsAppResolution(parameters, written)
  const early = otherwise ? undefined : await argumentsFrom(operation, parameters, written, stdin)
  const fields = flags.fields === undefined ? undefined : fieldsFrom(flags.fields, operation)
  const { server, key, warnings } = await connectionOf(flags, env, () => keyFrom(stdin))
  for (const warning of warnings) note(`warning: ${warning}`)
  if (key === undefined) throw new ConnectionError(keyMissing(server))

  const { Rivalscope } = await import('../../client/client.ts')
  // Long-running calls survive a restart of the server; a single answer is not worth a long wait.
  const rivalscope = new Rivalscope({ server, key, retries: flags.all || flags.wait ? 4 : 1 })
  const given =
    early ??
    (await argumentsFrom(
      operation,
      parameters,
      await resolveAppArguments(parameters, written, rivalscope, signal),
      stdin,
    ))
  const answers = new Answers(tool, { json: flags.json ?? false, fields, stdout, style: styleOf(stdout, env) })
  const [first = given, ...others] = callsFromInputList(given, parameters, stdin)
  if (others.length > 0) {
    const replies: object[] = []
    // One after the other: they write to one app.
    for (const one of [first, ...others]) replies.push(Object(await rivalscope.call(tool, one, { signal })))
    await answers.show(joined(replies))
    return 0
  }
  const call = rivalscope.call(tool, flags.all ? { limit: largestPage(parameters), ...first } : first, {
    signal,
  })
  if (flags.all) await showAll(call, answers)
  else if (flags.wait) return await waitForEnd(call, tool, answers, context)
  else {
    const reply = await call
    await answers.show(reply)
    if (!flags.json) for (const step of nextSteps(tool, given, reply)) note(step)
  }
  return 0
}

async function showAll(call: AnyCall, answers: Answers): Promise<void> {
  for await (const page of call.pages()) await answers.showPage(page)
}

/** Following all pages, fewer and larger ones are quicker. */
function largestPage(parameters: readonly Parameter[]): number | undefined {
  return parameters.find(({ name }) => name === 'limit')?.range.most
}

async function keyFrom(stdin: StandardInput): Promise<string> {
  try {
    return await stdin.read('--key')
  } catch (error) {
    throw error instanceof InputError ? new ConnectionError(`--key: ${error.message}`) : error
  }
}

const keyMissing = (server: string) =>
  `no key for ${server}. Put one in RIVALSCOPE_KEY, or keep one with: rivalscope profile set NAME --server ${server} --key-stdin`

/** Messages can contain text of a server or a file: terminal control characters are removed. */
const noteOn =
  ({ stderr }: CommandContext) =>
  (text: string) =>
    void stderr.write(`${text.split('\n').map(withoutControls).join('\n')}\n`)

/** Waits for accepted work, shows its progress and its result: 1 when it failed. */
async function waitForEnd(
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
        if (waitingForWorker && !toldOfWaiting) terminal.note(withoutControls(nobodyWorks(waitingForWorker)))
        toldOfWaiting ||= waitingForWorker !== undefined
      },
    })
    terminal[Symbol.dispose]()
    await answers.show(ended)
    if (ended.status === 'partial')
      terminal.note(
        withoutControls(`Something was left out: ${ended.lastError?.message ?? 'it does not say what'}`),
      )
    return 0
  } catch (error) {
    if (signal.aborted) terminal.note('Not waiting any longer: the work goes on.')
    if (!(error instanceof WorkNotDone)) throw error
    terminal[Symbol.dispose]()
    await answers.show(error.work)
    terminal.note(
      error.reason === 'failed'
        ? withoutControls(`error: the work failed: ${error.work.lastError?.message ?? 'it does not say why'}`)
        : `error: ${error.message}`,
    )
    return 1
  }
}

function progressOf(tool: Tool, { status, progress }: WorkState) {
  return {
    label: `${commandOfTool(tool)}, ${status}`,
    done: progress?.done ?? 0,
    total: progress?.total ?? 0,
    unit: withoutControls(progress?.unit ?? 'records'),
  }
}

/**
 * Hints after an answer: the command for the next page, or for the progress of started work. Programs find the same in the
 * reply.
 */
function nextSteps(tool: Tool, given: Readonly<Record<string, unknown>>, reply: unknown): string[] {
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
      `To import these: rivalscope admin-import-paid-ads --preview-token ${quoteForShellIfNeeded(previewToken)} --wait`,
    ]
  if (nextCursor)
    return [
      `There is more: --all shows everything, --cursor ${quoteForShellIfNeeded(nextCursor)} the next page.`,
    ]
  const shown = workStatusCall(contract, operation, reply as Readonly<Record<string, unknown>>, given)
  if (!shown || (status !== 'queued' && status !== 'running')) return []
  const again =
    shown.tool === tool
      ? 'the same command again'
      : commandLine(shown.tool, shown.arguments, parametersOf(contract[shown.tool as Tool]))
  if (waitingForWorker) return [nobodyWorks(waitingForWorker), `To see how it stands: ${again}.`]
  return [`The work goes on. To see how it stands: ${again}; --wait waits for its end.`]
}

/** Distinguishes queued work without a worker from work in progress. */
const nobodyWorks = ({ since }: { since: string }) =>
  `It waits for a worker: no process of this installation works on jobs, since ${since}. The operator starts one with rivalscope work.`
