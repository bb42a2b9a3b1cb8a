import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { dateFields, listFields, type MappedKind, mappableFields, numberFields } from './mappable-fields.ts'
import { dateForm, numberForm, readByForms } from './written-forms.ts'

const Path = z.string().min(1)
const OneOrMore = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1).max(20)])
  .transform((value) => [value].flat())

const MappingFile = z.strictObject({
  fields: z.record(z.string(), Path).default({}),
  constants: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  list: Path.optional(),
  document: z.record(z.string(), Path).default({}),
  fileName: z.string().optional(),
  separators: z.record(z.string(), OneOrMore).default({}),
  dates: z.record(z.string(), OneOrMore).default({}),
  numbers: z.union([z.string(), z.record(z.string(), z.string())]).default({}),
})

/** How foreign field names map to ours. */
export interface Mapping {
  /** From our field to the column, or the dotted path in an object, that holds it. */
  fields: Record<string, string>
  /** From our field to a constant of every row. */
  constants: Record<string, string>
  /** JSON only: dotted path of the list of rows; the document itself when left out. */
  list?: string
  /** JSON only: from our field to the dotted path in the document around the list. */
  document: Record<string, string>
  /** Regular expression over the file name; its named groups are our fields. */
  fileName?: string
  /** From our list field to its separators, which replace the default ones. */
  separators?: Record<string, string[]>
  /** From our date field to its possible formats, in the order in which they are tried. */
  dates?: Record<string, string[]>
  /** From our number field to a number in the form its values have, such as `1.234,5`. */
  numbers?: Record<string, string>
}

/** Whether a document has the form of a mapping. */
export const isMapping = (document: unknown): boolean => MappingFile.safeParse(document).success

/** The mapping is not usable; the message says what to change. */
export class MappingError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'MappingError'
  }
}

/** @throws MappingError */
export const readMapping = async (path: string, kind: MappedKind): Promise<Mapping> =>
  parseMapping(await readMappingFile(path), kind, path)

/** The JSON of a mapping. @throws MappingError */
export async function readMappingFile(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new MappingError(`The mapping ${path} cannot be read.`)
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new MappingError(`The mapping ${path} is not JSON: ${error instanceof Error ? error.message : ''}`)
  }
}

/** @throws MappingError */
export function parseMapping(document: unknown, kind: MappedKind, path: string): Mapping {
  const parsed = MappingFile.safeParse(document)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new MappingError(
      `The mapping ${path} is not valid at "${issue?.path.join('.') ?? ''}": ${issue?.message ?? ''}`,
    )
  }
  const { fields, list, document: around, fileName, separators, dates } = parsed.data
  const numbers =
    typeof parsed.data.numbers === 'string'
      ? Object.fromEntries(numberFields[kind].map((field) => [field, String(parsed.data.numbers)]))
      : parsed.data.numbers
  const forms: Record<string, object> = { separators, dates, numbers }
  const constants = Object.fromEntries(
    Object.entries(parsed.data.constants).map(([field, value]) => [field, String(value)]),
  )
  if (kind === 'search-results' && (list || Object.keys({ ...fields, ...around }).length > 0))
    throw new MappingError(`The mapping ${path} may hold only constants and fileName: the rest is Apple's.`)
  const named = fileName === undefined ? [] : groupNames(fileName, path)
  const unknown = [...Object.keys(fields), ...Object.keys(constants), ...Object.keys(around), ...named].find(
    (field) => !Object.hasOwn(mappableFields[kind], field),
  )
  if (unknown) throw new MappingError(`The mapping ${path} names the field "${unknown}". ${fieldList(kind)}`)
  const among = (name: string, known: readonly string[], what: string) => {
    const other = Object.keys(forms[name] ?? {}).find((field) => !known.includes(field))
    if (other)
      throw new MappingError(
        `The mapping ${path} has ${name} for "${other}", but "${other}" is no ${what}. ${known.length > 0 ? `Of ${kind} these are: ${known.join(', ')}.` : `${kind} has none.`}`,
      )
  }
  among('separators', listFields[kind], 'list')
  among('dates', dateFields[kind], 'date')
  among('numbers', numberFields[kind], 'number')
  const unlike = Object.values(numbers).find((form) => !numberForm(form))
  if (unlike !== undefined)
    throw new MappingError(
      `The mapping ${path} has a form of number that cannot be: "${unlike}". ${formsOfNumber}`,
    )
  const unread = Object.values(dates)
    .flat()
    .map(dateForm)
    .find((form) => typeof form === 'string')
  if (unread)
    throw new MappingError(`The mapping ${path} has a form of date that cannot be: ${unread}. ${formsOfDate}`)
  return {
    fields,
    constants: { ...constants, ...datesIn(constants, dates, path) },
    document: around,
    ...(list ? { list } : {}),
    ...(fileName ? { fileName } : {}),
    ...(Object.keys(separators).length > 0 ? { separators } : {}),
    ...(Object.keys(dates).length > 0 ? { dates } : {}),
    ...(Object.keys(numbers).length > 0 ? { numbers } : {}),
  }
}

const formsOfNumber =
  'Forms are a number over a thousand with its marks, such as "1.234,5", "1 234,56", "1\'234", "1,23,456.7" or "1234,5".'

const formsOfDate =
  'Forms are written with d, dd, m, mm, mmm, yy, yyyy, h, hh, mm, ss and am/pm, such as "d/m/yy", "dd.mm" or "mmm d, yyyy"; or are "iso", "unix" or "unix-ms".'

/** Constants that are dates, parsed with the mapping's own formats. */
function datesIn(
  constants: Record<string, string>,
  dates: Record<string, string[]>,
  path: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(dates).flatMap(([field, forms]) => {
      const value = constants[field]
      if (value === undefined) return []
      const read = readByForms(value, forms, constants.year)
      if (read === undefined || read === 'no-year')
        throw new MappingError(
          `The mapping ${path} has constants.${field} "${value}", which is of none of its forms with a year: ${forms.join('; ')}.`,
        )
      return [[field, read]]
    }),
  )
}

function groupNames(pattern: string, path: string): string[] {
  try {
    new RegExp(pattern)
  } catch (error) {
    throw new MappingError(
      `The mapping ${path} has a bad fileName pattern: ${error instanceof Error ? error.message : ''}`,
    )
  }
  return [...pattern.matchAll(/\(\?<([A-Za-z]+)>/g)].map((match) => match[1] ?? '')
}

/** The fields a mapping may name, one a line. */
function fieldList(kind: MappedKind): string {
  const lines = Object.entries(mappableFields[kind]).map(([field, meaning]) => `  ${field}: ${meaning}`)
  return `Fields of a ${kind} mapping:\n${lines.join('\n')}`
}

/** The fields that the mapping's pattern reads from a file name, unparsed. */
export function fromFileName(mapping: Pick<Mapping, 'fileName'>, name: string): Record<string, string> {
  if (!mapping.fileName) return {}
  const groups = new RegExp(mapping.fileName).exec(name)?.groups ?? {}
  return Object.fromEntries(
    Object.entries(groups).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/** The value at a dotted path; undefined where there is none. */
export function valueAt(row: unknown, path: string): unknown {
  if (typeof row !== 'object' || row === null) return undefined
  if (Object.hasOwn(row, path)) return (row as Record<string, unknown>)[path]
  let value: unknown = row
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}

/** A value as text; objects and lists as JSON, since an object from JSON can have a `toString` that throws. */
export function shown(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}
