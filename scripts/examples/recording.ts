import { setTimeout } from 'node:timers/promises'
import { demoAccount } from '../../sample/demo/tracking.ts'
import { type ServiceConfig, startService, startWorkProcess } from '../../src/app.ts'
import { areas, contract, type Tool } from '../../src/contract/contract.ts'
import { splitIntoRequestParts } from '../../src/contract/flat-arguments.ts'
import type { Example, Operation } from '../../src/contract/operation.ts'
import { createKey } from '../../src/domain/accounts/keys.ts'
import { endWork, startWork, workUnderWay } from '../../src/domain/work/queries.ts'
import type { Database } from '../../src/storage/database.ts'
import { type FilledSample, recordedAt } from '../sample-service.ts'
import { callsAfterWork, callsBeforeWork, type ExampleCall } from './calls.ts'
import { makeReproducible, shortenLists } from './make-reproducible.ts'

/**
 * Calls a service with the sample evidence over HTTP for every example of the contract, on the recorded day.
 * @returns them by area and tool, their lists shortened
 */
export async function recordExamples(sample: FilledSample): Promise<Record<string, Record<string, Example>>> {
  await using parts = new AsyncDisposableStack()
  const config = { ...(await sample.copy(parts)), works: false }
  const service = parts.use(await startService(config))
  const order = { name: 'examples', scopes: ['context:read', 'content:write'], account: demoAccount }
  const ask = caller(service.address, await createKey(service.db, order))
  const recorded = new Map<Tool, Example>()
  await record(callsBeforeWork, ask, recorded, service.db)
  await finishWork(config, service.db)
  await record(callsAfterWork, ask, recorded, service.db)
  const same = makeReproducible(recordedAt)
  const calls = new Map([...callsBeforeWork, ...callsAfterWork].map((call) => [call.tool, call]))
  return byArea(
    new Map(
      [...recorded].map(([tool, example]) => [tool, shortenLists(same(example), calls.get(tool)?.whole)]),
    ),
  )
}

/** @throws when an operation was not called */
function byArea(recorded: ReadonlyMap<string, Example>): Record<string, Record<string, Example>> {
  const exampleOf = (tool: string) => {
    const example = recorded.get(tool)
    if (!example) throw new Error(`scripts/examples/calls.ts has no call of ${tool}.`)
    return example
  }
  return Object.fromEntries(
    Object.entries(areas).map(([area, { operations }]) => [
      area,
      Object.fromEntries(Object.keys(operations).map((tool) => [tool, exampleOf(tool)])),
    ]),
  )
}

/** Runs the requested work until none is left. */
async function finishWork(config: ServiceConfig, db: Database): Promise<void> {
  await using _working = await startWorkProcess(config)
  const later = new Date('9999-01-01')
  while ((await workUnderWay(db, later)).length > 0) await setTimeout(200)
}

/** Makes an attempt fail as if its source had not answered. */
async function failWork(db: Database, workId: string): Promise<void> {
  const attempt = await startWork(db, workId)
  const error = {
    code: 'upstream-timeout',
    message: 'The Meta Ad Library API did not answer within 15 seconds.',
  }
  if (attempt) await endWork(db, attempt, { status: 'failed', result: {}, error })
}

type Ask = (operation: Operation, parts: Omit<Example, 'reply'>) => Promise<Record<string, unknown> | undefined>

async function record(
  calls: readonly ExampleCall[],
  ask: Ask,
  recorded: Map<Tool, Example>,
  db: Database,
): Promise<void> {
  const replyOf = (tool: Tool) => recorded.get(tool)?.reply ?? {}
  for (const { tool, input, whenFailed } of calls) {
    if (whenFailed) await failWork(db, String(replyOf(whenFailed).workId))
    const given = typeof input === 'function' ? input(replyOf) : input
    const parts = Object.entries(splitIntoRequestParts(contract[tool], given)).filter(
      ([, part]) => Object.keys(part ?? {}).length > 0,
    )
    const sent: Omit<Example, 'reply'> = Object.fromEntries(parts)
    const reply = await ask(contract[tool], sent)
    recorded.set(tool, reply ? { ...sent, reply } : sent)
  }
}

function caller(address: string, key: string): Ask {
  return async ({ method, path, body: taken }, { params = {}, query = {}, body = {} }) => {
    const url = new URL(
      path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name]))),
      address,
    )
    for (const [name, value] of Object.entries(query))
      for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one))
    const answer = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(taken && { 'content-type': 'application/json' }) },
      ...(taken && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${url.pathname} answered ${answer.status}: ${text}`)
    return text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>)
  }
}
