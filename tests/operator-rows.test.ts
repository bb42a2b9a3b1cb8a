import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { type Actions, buildProgram } from '../src/cli/program.ts'
import type { OperatorCommand } from '../src/operator/command-row.ts'
import { commandGroups, operatorCommands } from '../src/operator/commands.ts'
import { testContext } from './support/in-process.ts'

/** Values of all kinds of fields; the first that a field takes is given for it. */
const values = [
  'value',
  '7',
  '2026-03-01',
  '01958b60-1c40-7b38-9e02-6d5a4f3c2b18',
  'us',
  'https://example.com/x',
  'UTC',
  '10.0.0.0/8',
  'rsk_x',
  '2026-W10',
  'context:read',
]

/** One value that fits a field, as a word of the command line. */
function fitting(field: z.core.SomeType | undefined): string {
  let inner = field as z.ZodType
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodOptional || inner instanceof z.ZodExactOptional)
    inner = inner.unwrap() as z.ZodType
  const one = inner instanceof z.ZodArray ? (inner.element as z.ZodType) : inner
  if (one instanceof z.ZodEnum) return String(one.options[0])
  const value = values.find((text) => one.safeParse(one instanceof z.ZodNumber ? Number(text) : text).success)
  return value ?? assert.fail(`no value fits ${one.constructor.name}`)
}

const isRequired = (field: z.core.SomeType | undefined) =>
  !(field as z.ZodType).safeParse(undefined).success && !(field instanceof z.ZodExactOptional)

/** What the row is called with when these words stand on the command line. */
async function inputOf(words: readonly string[]): Promise<Record<string, unknown>> {
  const inputs: Record<string, unknown>[] = []
  const operate: Actions['operate'] = async (_name, _row, input) => inputs.push(input) - 1
  const program = buildProgram(
    async () => ({ operate }) as Actions,
    { commands: operatorCommands, groups: commandGroups },
    '0',
    () => {},
    testContext(),
  )
  await program.parseAsync([...words], { from: 'user' })
  return inputs[0] ?? assert.fail(`${words.join(' ')} was not performed`)
}

/** The words of a command with all its required fields, and of the others those that are named. */
function callOf(
  name: string,
  { fields, places, words }: OperatorCommand,
  given: ReadonlySet<string>,
): string[] {
  const isGiven = (field: string) => given.has(field) || isRequired(fields[field])
  const positional = places.filter(isGiven).map((place) => fitting(fields[place]))
  const options = Object.keys(words)
    .filter((field) => !places.includes(field) && isGiven(field))
    .flatMap((field) => {
      const option = `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
      return words[field]?.value ? [option, fitting(fields[field])] : [option]
    })
  return [...name.split(' '), ...positional, ...options]
}

for (const [name, entry] of Object.entries(operatorCommands))
  test(`${name} reads its command line with each optional part left out, and with each given alone`, async () => {
    const row = (await entry.load()) as OperatorCommand
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
