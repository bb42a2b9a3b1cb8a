import assert from 'node:assert/strict'
import { z } from 'zod'
import type { OperatorCommand } from '../../src/operator/command.ts'

/** Values of all kinds of fields; the first that a field takes is given for it. */
const values = [
  'value',
  '7',
  '100',
  '2026-03-01',
  '01958b60-1c40-7b38-9e02-6d5a4f3c2b18',
  'us',
  'https://example.com/x',
  'UTC',
  '10.0.0.0/8',
  'rsk_x',
  '2026-W10',
  'context:read',
  'windows-1252',
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

export const isRequired = (field: z.core.SomeType | undefined) =>
  !(field as z.ZodType).safeParse(undefined).success && !(field instanceof z.ZodExactOptional)

/** The words of a command with all its required fields, and of the others those that are named. */
export function callOf(
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
