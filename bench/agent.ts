import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readConfiguration } from '../src/configuration.ts'
import { type ModelSettings, modelKeyVariable } from '../src/sources/openai/settings.ts'
import { askReal, askSample, faultsIn } from './agent/asked.ts'
import { byModel, formOf } from './agent/model.ts'
import recorded from './agent/recorded.json' with { type: 'json' }
import { print, printTable, report } from './figures.ts'

/**
 * Questions of a growth team, answered through MCP by a scripted client that knows only what tools and replies say, on the
 * sample and on the real files where they are there. Calls and bytes are the same on every machine.
 *
 *   node bench/agent.ts                    fails where an answer is wrong, or dearer than its goal or than recorded
 *   node bench/agent.ts --record           records what they cost now
 *   node bench/agent.ts --model --config rivalscope.yaml
 *                                          then has the language model of the configuration answer them, within its daily limit
 */
const { values } = parseArgs({
  options: {
    record: { type: 'boolean', default: false },
    model: { type: 'boolean', default: false },
    config: { type: 'string', default: process.env.RIVALSCOPE_CONFIG ?? '' },
  },
})
// A mistake in the configuration is told before a minute of questions.
const settings = values.model ? await modelIn(values.config) : undefined

const [ofSample, ofReal] = [await askSample(), await askReal()]
const asked = [...ofSample, ...(ofReal ?? [])]
printTable(
  ['question', 'calls', 'goal', 'kB', 'goal', 'refusals', ''],
  asked.map(({ name, calls, bytes, refusals, right, goal }) => [
    name,
    calls,
    goal.calls,
    (bytes / 1_000).toFixed(1),
    goal.kB,
    refusals,
    right ? 'right' : 'WRONG',
  ]),
)
for (const { name, calls, bytes, goal } of asked) {
  report({ name: `agent, ${name}, calls`, value: calls, unit: '', goal: { atMost: goal.calls } })
  report({ name: `agent, ${name}, replies`, value: bytes / 1_000, unit: 'kB', goal: { atMost: goal.kB } })
}
if (values.record) {
  const costs = asked.map(({ name, calls, bytes, refusals }) => [name, { calls, bytes, refusals }])
  const path = new URL('agent/recorded.json', import.meta.url)
  const others = ofReal ? [] : Object.entries(recorded).filter(([name]) => name.startsWith('real '))
  writeFileSync(path, `${JSON.stringify(Object.fromEntries([...costs, ...others]), null, 2)}\n`)
} else {
  const faults = faultsIn(asked)
  for (const fault of faults) print(fault)
  if (faults.length > 0) process.exitCode = 1
}

if (settings) await askModel(settings)

async function modelIn(file: string): Promise<ModelSettings> {
  const { model } = await readConfiguration(file || undefined, process.env)
  if (!model) throw new Error(`${file || 'the usual configuration'} names no model`)
  return model
}

/** The same questions on fresh stores, judged by the same answers. */
async function askModel(settings: ModelSettings): Promise<void> {
  const spent = { requests: 0, tokens: 0 }
  const forms = new Map(asked.map(({ name, truth }) => [name, formOf(truth)]))
  const by = byModel(settings, process.env[modelKeyVariable], forms, spent)
  const answers = [...(await askSample(by)), ...((await askReal(by)) ?? [])]
  printTable(
    [settings.name, 'calls', 'kB', 'refusals', ''],
    answers.map(({ name, calls, bytes, refusals, right }) => [
      name,
      calls,
      (bytes / 1_000).toFixed(1),
      refusals,
      right ? 'right' : 'WRONG',
    ]),
  )
  for (const { name, right, answer, truth } of answers)
    if (!right) print(`${name}: ${JSON.stringify(answer)}, but ${JSON.stringify(truth)} is right`)
  const rightOnes = answers.filter(({ right }) => right).length
  print(`${rightOnes} of ${answers.length} right, ${spent.requests} requests, ${spent.tokens} tokens`)
}
