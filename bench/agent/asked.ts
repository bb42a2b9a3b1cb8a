import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { demoAccount } from '../../sample/demo/tracking.ts'
import { fillSample, onTheRecordedDay } from '../../scripts/sample-service.ts'
import { startService } from '../../src/app.ts'
import { createKey } from '../../src/domain/accounts/keys.ts'
import { openWorld, sharedData } from '../../tests/support/world.ts'
import { type Agent, type Cost, connectAgent } from './agent.ts'
import { moreQuestions } from './more.ts'
import type { Question } from './questions.ts'
import { realQuestions } from './real.ts'
import recorded from './recorded.json' with { type: 'json' }
import { tableQuestions } from './table.ts'

/** What became of a question. */
export interface Asked extends Cost {
  name: string
  goal: Question['goal']
  right: boolean
  answer: unknown
  truth: unknown
}

/** Cursors, ids and tokens that differ from run to run have the same length; times can lose a zero or two. */
const roundingBytes = 100

/** What is wrong, or dearer than its goal or than recorded; empty for none. */
export function faultsIn(asked: readonly Asked[]): string[] {
  return asked.flatMap(({ name, right, answer, truth, goal, ...cost }) => {
    const was = (recorded as Record<string, Cost>)[name]
    const [calls, refusals, bytes] = [was?.calls ?? 0, was?.refusals ?? 0, was?.bytes ?? 0]
    const faults = [
      [!right, `${JSON.stringify(answer)}, but ${JSON.stringify(truth)} is right`],
      [cost.calls > goal.calls, `${cost.calls} calls, the goal is ${goal.calls}`],
      [cost.bytes > goal.kB * 1_000, `${cost.bytes} bytes, the goal is ${goal.kB} kB`],
      [!was, 'not recorded: bin/node bench/agent.ts --record'],
      [cost.calls > calls, `${cost.calls} calls, ${calls} before`],
      [cost.refusals > refusals, `refused ${cost.refusals} times, ${refusals} before`],
      [cost.bytes > bytes + roundingBytes, `${cost.bytes} bytes, ${bytes} before`],
    ] as const
    return faults.flatMap(([isOne, words]) => (isOne ? [`${name}: ${words}`] : []))
  })
}

/** Answers a question by what an agent may do. */
export type Answering = (question: Question, agent: Agent) => Promise<{ cost: Cost; answered: unknown }>

/** The script of each question. */
const byScript: Answering = async ({ question, answer }, agent) => {
  const { ask, cost } = agent.asking(question)
  return { cost, answered: await answer(ask).catch((error: Error) => error.message) }
}

const scopes = ['context:read', 'content:write']

/** Asks all questions about the sample, in which it is the evening of its last day. */
export async function askSample(by: Answering = byScript): Promise<Asked[]> {
  return onTheRecordedDay(async () => {
    await using parts = new AsyncDisposableStack()
    const sample = await fillSample(parts)
    const service = parts.use(await startService({ ...(await sample.copy(parts)), works: false }))
    const key = await createKey(service.db, { name: 'bench', scopes, account: demoAccount })
    return await askAll([...tableQuestions, ...moreQuestions], service.address, key, by)
  })
}

/** Asks all questions about the real files; undefined where they are not beside the project. */
export async function askReal(by: Answering = byScript): Promise<Asked[] | undefined> {
  if (!existsSync(join(sharedData, 'apple/search'))) return undefined
  await using world = await openWorld()
  await world.import({ kind: 'catalogue', paths: ['apple/search'] })
  await world.import({ kind: 'search-results', paths: ['apple/search'] })
  await world.import({ kind: 'charts', paths: ['apple/charts/us-daily-2026'] })
  const address = await world.server.listen({ host: '127.0.0.1', port: 0 })
  return await askAll(realQuestions, address, await world.key(), by)
}

/** Asks questions one after the other, and judges the answers by full replies over HTTP. */
export async function askAll(
  questions: readonly Question[],
  address: string,
  key: string,
  by: Answering,
): Promise<Asked[]> {
  await using agent = await connectAgent(address, key)
  const get = async (path: string) => {
    const reply = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${key}` } })
    if (!reply.ok) throw new Error(`${reply.status} for ${path}`)
    return await reply.json()
  }
  const asked: Asked[] = []
  for (const question of questions) {
    const { name, goal, truth } = question
    const { cost, answered } = await by(question, agent)
    const wanted = await truth(get).catch((error: Error) => error.message)
    const right = answered !== undefined && isDeepStrictEqual(answered, wanted)
    asked.push({ name, goal, ...cost, right, answer: answered, truth: wanted })
  }
  return asked
}
