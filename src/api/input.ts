import type { z } from 'zod'
import type { Operation } from '../contract/operation.ts'
import { compileNormaliser } from '../contract/query-text.ts'
import { controlCharacterPaths, pathsOfExcessMarks } from '../text/control-characters.ts'
import { maxMarks } from '../text/normal-form.ts'
import { searchVolumeHint } from '../vocabulary/search-volume.ts'
import { type InputError, refuseInput } from './problem.ts'
import { refusalOf } from './refusals.ts'

/** A request as a transport parsed it: plain JSON values, not validated. */
export interface RawInput {
  params: Record<string, unknown>
  query: Record<string, unknown>
  /** Undefined when the request had no body. */
  body: unknown
}

/** Maximum errors in one reply: a large body can have a million of them. */
const mostErrors = 100

const parts = ['params', 'query', 'body'] as const
const pointers = { params: '/path', query: '/query', body: '/body' } as const

/** Validates all parts of a request together, so that one reply lists every mistake. */
export function compileInput(operation: Operation): (raw: RawInput) => unknown {
  const readers = parts.map((part) =>
    compilePart(part, operation[part], part === 'body' ? operation.answersEach : undefined),
  )
  return (raw) => {
    const errors: InputError[] = []
    const input: Record<string, unknown> = {}
    for (const [index, part] of parts.entries()) {
      const read = readers[index]?.(raw[part], errors) ?? {}
      errors.push(...reversedRanges(pointers[part], read))
      Object.assign(input, read)
    }
    if (errors.length > 0) refuseInput(errors.slice(0, mostErrors))
    return input
  }
}

/**
 * Compiles the validation of a body that is not of an operation.
 * @returns a reader, which throws Problem `invalid-request` with every mistake
 */
export function compileBody<Body extends z.ZodObject>(schema: Body): (value: unknown) => z.output<Body> {
  const read = compilePart('body', schema)
  return (value) => {
    const errors: InputError[] = []
    const body = read(value, errors)
    if (errors.length > 0) refuseInput(errors.slice(0, mostErrors))
    return body as z.output<Body>
  }
}

/** Reads a value that is not of an operation. @throws Problem `invalid-request` that names each wrong place below `root` */
export function readAt<Schema extends z.ZodType>(
  root: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  return refuseInput(
    parsed.error.issues.flatMap((issue) => inputErrors(root, issue, value)).slice(0, mostErrors),
  )
}

type PartReader = (value: unknown, errors: InputError[]) => object

function compilePart(
  part: (typeof parts)[number],
  schema: z.ZodObject | undefined,
  answeredEach?: string,
): PartReader {
  const root = pointers[part]
  if (!schema) {
    return (value, errors) => {
      if (value === undefined) return {}
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        errors.push({ pointer: root, message: 'nothing is expected here' })
      else errors.push(...strangers(root, [], Object.keys(value)))
      return {}
    }
  }
  const normalise = compileNormaliser(schema)
  return (value, errors) => {
    const given = normalise(value === undefined ? {} : value)
    const looked = answeredEach === undefined ? given : withoutList(given, answeredEach)
    for (const path of controlPaths(looked))
      errors.push({ pointer: pointerTo(root, path), message: 'holds control characters or half a letter' })
    for (const path of pathsOfExcessMarks(looked))
      errors.push({ pointer: pointerTo(root, path), message: `holds more than ${maxMarks} marks on a letter` })
    const parsed = schema.safeParse(given)
    if (parsed.success) return parsed.data
    for (const issue of parsed.error.issues.slice(0, mostErrors))
      errors.push(...inputErrors(root, issue, given))
    return {}
  }
}

/** Fields with free multi-line text; every other text is a single line. */
const lined = new Set(['note', 'records'])

function withoutList(given: unknown, list: string): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => name !== list || !Array.isArray(value)),
  )
}

function controlPaths(given: unknown): (string | number)[][] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return controlCharacterPaths(given)
  const { true: inLines = [], false: others = [] } = Object.groupBy(Object.entries(given), ([name]) =>
    lined.has(name) ? 'true' : 'false',
  )
  return [
    ...controlCharacterPaths(Object.fromEntries(others)),
    ...controlCharacterPaths(Object.fromEntries(inLines), { multiline: true }),
  ]
}

function inputErrors(root: string, issue: z.core.$ZodIssue, given: unknown): InputError[] {
  if (issue.code === 'unrecognized_keys') return strangers(root, issue.path, issue.keys)
  const field = issue.path.findLast((part) => typeof part === 'string') ?? ''
  const message = refusalOf(issue, valueAt(given, issue.path), field)
  return [{ pointer: pointerTo(root, issue.path), message }]
}

const valueAt = (given: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
    given,
  )

const strangers = (root: string, path: readonly PropertyKey[], names: readonly string[]): InputError[] =>
  names.slice(0, mostErrors).map((name) => ({
    pointer: pointerTo(root, [...path, name]),
    message: `is not known here${searchVolumeHint(name)}`,
  }))

/** Maximum characters of a name repeated in a reply: an untrusted one can be as long as the body. */
const longestName = 100

function pointerTo(root: string, path: readonly PropertyKey[]): string {
  return [root, ...path.map((part) => shortName(part).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/')
}

function shortName(part: PropertyKey): string {
  const name = String(part)
  return name.length > longestName ? `${name.slice(0, longestName).toWellFormed()}…` : name
}

/** Refuses `from` after `to` for every pair of such fields, in every operation. */
function reversedRanges(root: string, read: object): InputError[] {
  const values = new Map<string, unknown>(Object.entries(read))
  return [...values].flatMap(([name, from]) => {
    const end = name === 'from' ? 'to' : name.endsWith('From') ? `${name.slice(0, -4)}To` : ''
    const to = values.get(end)
    const reversed = typeof from === 'string' && typeof to === 'string' && from > to
    return reversed ? [{ pointer: `${root}/${name}`, message: `${from} is after ${end} ${to}` }] : []
  })
}
