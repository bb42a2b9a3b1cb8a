import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { buildProgram } from '../src/cli/program.ts'
import { loadCommand, operatorTable, summaries } from '../src/commands.ts'
import { testContext } from './support/in-process.ts'
import { callOf, isRequired } from './support/operator-words.ts'

/** What the row is called with when these words stand on the command line. */
async function inputOf(words: readonly string[]): Promise<Record<string, unknown>> {
  const inputs: Record<string, unknown>[] = []
  const program = buildProgram(
    {
      version: '0',
      operator: operatorTable,
      perform: async ({ input }) => inputs.push(input) - 1,
      openApi: () => assert.fail(),
    },
    () => {},
    testContext(),
  )
  await program.parseAsync([...words], { from: 'user' })
  return inputs[0] ?? assert.fail(`${words.join(' ')} was not performed`)
}

for (const name of Object.keys({ ...operatorTable.standalone, ...summaries }))
  test(`${name} reads its command line with each optional part left out, and with each given alone`, async () => {
    const row = await loadCommand(name)
    const optional = Object.keys(row.fields).filter((field) => !isRequired(row.fields[field]))
    const calls = [
      new Set<string>(),
      // A positional can only be given together with those before it.
      ...optional.map((field) => new Set([field, ...row.places.slice(0, row.places.indexOf(field) + 1)])),
    ]
    for (const given of calls) {
      const words = callOf(name, row, given)
      const parsed = z.strictObject(row.fields).safeParse(await inputOf(words))
      assert.ok(parsed.success, `${words.join(' ')}: ${parsed.error && z.prettifyError(parsed.error)}`)
    }
  })
