import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { commandWords } from '../src/cli/operations/command-line.ts'
import { shapeCommand } from '../src/cli/operations/command-shape.ts'
import { argumentsFrom } from '../src/cli/operations/given.ts'
import { StandardInput } from '../src/cli/operations/json-input.ts'
import { OperationCommand } from '../src/cli/operations/operation-command.ts'
import { typedArgumentsOf } from '../src/cli/operations/operation-run.ts'
import { buildProgram } from '../src/cli/program.ts'
import { methodName, Rivalscope } from '../src/client/client.ts'
import { tools } from '../src/client/routes.ts'
import { operatorTable } from '../src/commands.ts'
import { contract, type Tool } from '../src/contract/contract.ts'
import type { Operation } from '../src/contract/operation.ts'
import { runProcess } from './support/command-line.ts'
import { run, testContext } from './support/in-process.ts'

const operations = Object.entries(contract) as [Tool, Operation][]
const program = buildProgram(
  {
    version: '0',
    operator: operatorTable,
    perform: () => assert.fail(),
    openApi: () => assert.fail(),
  },
  () => {},
  testContext(),
)

/** Options that say how to answer and whom to ask, beside the arguments of an operation. */
const ours = ['json', 'fields', 'all', 'wait', 'server', 'key', 'profile', 'help']

test('operations, commands, methods of the client and routes are the same 45', () => {
  const names = operations.map(([tool]) => tool)
  const commands = program.commands.filter((command) => command instanceof OperationCommand)
  assert.equal(names.length, 45)
  assert.deepEqual(
    commands.map(({ tool }) => tool),
    names,
  )
  assert.deepEqual(
    commands.map((command) => command.name()),
    names.map((name) => name.replaceAll('_', '-')),
  )
  assert.deepEqual(tools, names)
  const client = new Rivalscope({ server: 'http://127.0.0.1:1', key: 'rsk_x' })
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(client))
  assert.deepEqual(
    methods.filter((name) => name !== 'call' && name !== 'constructor').sort(),
    names.map(methodName).sort(),
  )
})

test('no command of an operation has the name of one of the operator', () => {
  const names = program.commands.map((command) => command.name())
  assert.equal(new Set(names).size, names.length)
})

/** Prints the address of every module that is loaded on standard error. */
const loggingLoads = `--import=data:text/javascript,${encodeURIComponent(`import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => (process.stderr.write(url + '\\n'), next(url, context)) })`)}`

test('the overview shows every command under its area, without reading the contract', async () => {
  const { code, out, err } = await runProcess(['--help'], { env: { NODE_OPTIONS: loggingLoads } })
  assert.equal(code, 0)
  for (const [tool] of operations) assert.ok(out.includes(`  ${tool.replaceAll('_', '-')} `), tool)
  for (const area of ['Competitors:', 'Charts:', 'Organic content:', 'Paid ads:', 'ASO workstation:'])
    assert.ok(out.includes(area), area)
  assert.match(err, /cli\/program\.ts/)
  assert.doesNotMatch(err, /node_modules\/(zod|ky|fastify)\/|contract\/contract\.ts|client\/client\.ts/)
})

test('what commands take is told without anything of the store, of the queue or of sources', async () => {
  const { code, out, err } = await runProcess(['completion', 'bash'], { env: { NODE_OPTIONS: loggingLoads } })
  assert.equal(code, 0)
  assert.match(out, /watches deliveries/)
  assert.match(err, /operator\/channels\.ts/)
  assert.doesNotMatch(err, /node_modules\/(kysely|pg|pg-boss|ky|undici|uuid)\/|src\/storage\/(?!open-store)/)
})

test('a command that was renamed works by its old name for one version, and help shows the new one alone', async () => {
  const { code, out } = await runProcess(['ways', 'remove', '--help'])
  assert.equal(code, 0)
  assert.match(out, /rivalscope channels remove/)
  assert.doesNotMatch((await runProcess(['--help'])).out, /\bways\b/)
})

describe('Every command', () => {
  for (const [tool, operation] of operations) {
    const command = new OperationCommand(tool, () => Promise.resolve())
    const parameters = shapeCommand(command)
    command.exitOverride().action(() => {})

    test(`${tool} has an option for each argument, and none with a name of ours`, () => {
      const names = Object.keys({
        ...operation.params?.shape,
        ...operation.query?.shape,
        ...operation.body?.shape,
      })
      assert.deepEqual(
        names.filter((name) => ours.includes(name)),
        [],
      )
      const only = names.filter((name) => !parameters.some((parameter) => parameter.name === name))
      assert.deepEqual(
        only,
        operation.path.includes('{platform}') && !tool.includes('paid_ad') ? ['platform'] : [],
      )
      for (const { name, description, choices } of parameters)
        assert.ok(
          description !== '' || choices.length > 0 || ['windowDays', 'term', 'action'].includes(name),
          name,
        )
    })

    test(`${tool} reads its example as the contract has it`, async () => {
      const { params, query, body } = operation.example
      const example: Record<string, unknown> = { ...params, ...query, ...body }
      const words = commandWords(example, parameters).map((word) =>
        word === '@records.ndjson' ? JSON.stringify(example.records) : word,
      )
      command.parse(words, { from: 'user' })
      const given = await argumentsFrom(
        operation,
        parameters,
        typedArgumentsOf(command, parameters),
        new StandardInput(testContext()),
      )
      const usual = parameters.filter(
        ({ name, default: value }) => value !== undefined && example[name] === value,
      )
      for (const name of ['platform', ...usual.map(({ name }) => name)])
        if (given[name] === undefined) delete example[name]
      assert.deepEqual(given, example)
    })
  }
})

/** Commands at once: each takes a process, and other tests run beside. */
const atOnce = 3

test('every command has help with its options, an example and the scope it needs', async () => {
  const waiting = [...operations]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [tool, { scope }] = next
      const name = tool.replaceAll('_', '-')
      const { code, out, err } = await run([name, '--help'])
      assert.deepEqual([code, err], [0, ''], name)
      assert.ok(out.startsWith(`Usage: rivalscope ${name} `), name)
      assert.match(out, new RegExp(`Example:\\n {2}rivalscope ${name}`))
      assert.ok(out.includes(`Needs a key with the scope ${scope}.`), name)
      assert.match(out, /RIVALSCOPE_KEY/)
      assert.doesNotMatch(out, /`|undefined|\[object/, name)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
})

test('a misspelt command or option is answered with the one that was meant', async () => {
  const command = await run(['get-competitr', '12'])
  assert.deepEqual([command.code, command.out], [2, ''])
  assert.match(command.err, /Did you mean get-competitor\?/)
  const option = await run(['search-competitors', '--contry', 'us'])
  assert.deepEqual([option.code, option.out], [2, ''])
  assert.match(option.err, /unknown option '--contry'\n\(Did you mean --country\?\)/)
})

test('contract prints every operation with its tool, method, path, scope and ending, also as JSON', async () => {
  const rows = operations.map(([tool, { method, path, scope, ending }]) => ({
    tool,
    method,
    path,
    scope,
    ending,
  }))
  const table = await run(['contract'])
  assert.deepEqual([table.code, table.err], [0, ''])
  const [titles, ...lines] = table.out.trimEnd().split('\n')
  assert.match(titles ?? '', /^Tool +Method +Path +Scope +Ending$/i)
  assert.deepEqual(
    lines.map((line) => line.split(/ {2,}/)),
    rows.map((row) => Object.values(row)),
  )
  const json = await run(['contract', '--json'])
  assert.deepEqual([json.code, json.err, JSON.parse(json.out)], [0, '', rows])
  const document = await run(['contract', 'openapi'])
  assert.equal(JSON.parse(document.out).openapi.slice(0, 2), '3.')
  // What is in the contract is performed: there is no state of it to ask for.
  assert.equal((await run(['contract', 'status'])).code, 2)
})
