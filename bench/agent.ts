import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { askReal, askSample } from './agent/asked.ts'
import recorded from './agent/recorded.json' with { type: 'json' }
import { print, printTable, report } from './figures.ts'

/**
 * Questions of a growth team, answered through MCP by a scripted client that knows only what tools and replies say, on the
 * sample and on the real files where they are there. Calls and bytes are the same on every machine.
 *
 *   node bench/agent.ts                    fails where an answer is wrong or dearer than recorded
 *   node bench/agent.ts --record           records what they cost now
 */
const { values } = parseArgs({ options: { record: { type: 'boolean', default: false } } })

const asked = [...(await askSample()), ...((await askReal()) ?? [])]
printTable(
  ['question', 'calls', 'goal', 'kB', 'goal', 'refusals', ''],
  asked.map(({ name, calls, bytes, refusals, right, goal }) => [
    name,
    calls,
    goal?.calls ?? '',
    (bytes / 1_000).toFixed(1),
    goal?.kB ?? '',
    refusals,
    right ? 'right' : 'WRONG',
  ]),
)
for (const { name, right, answer, truth } of asked)
  if (!right) print(`${name}: ${JSON.stringify(answer)}, but ${JSON.stringify(truth)} is right`)
for (const { name, calls, bytes, goal } of asked)
  if (goal) {
    report({ name: `agent, ${name}, calls`, value: calls, unit: '', goal: { atMost: goal.calls } })
    report({ name: `agent, ${name}, replies`, value: bytes / 1_000, unit: 'kB', goal: { atMost: goal.kB } })
  }
if (values.record) {
  const costs = asked.map(({ name, calls, bytes, refusals }) => [name, { calls, bytes, refusals }])
  const path = new URL('agent/recorded.json', import.meta.url)
  writeFileSync(path, `${JSON.stringify({ ...recorded, ...Object.fromEntries(costs) }, null, 2)}\n`)
}
if (asked.some(({ right }) => !right)) process.exitCode = 1
