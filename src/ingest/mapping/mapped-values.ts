import type { ReadingContext } from '../parsed-payload.ts'
import type { RawPayload } from '../raw-payload.ts'
import { UnfitPayload } from '../unfit-payload.ts'
import { listFields, type MappedKind, mappableFields } from './mappable-fields.ts'
import { shown, valueAt } from './mapping.ts'
import { dateForm, numberForm, readByForms, writtenList } from './written-forms.ts'

/** The formats in which a mapping says that values are written. */
type Forms = Pick<ReadingContext, 'separators' | 'dates' | 'numbers'>

/**
 * Values of one row by our field: from the mapped columns, else from the constants. Dates whose format the mapping names
 * become RFC 3339 or `YYYY-MM-DD`, and lists whose separators it names become lists.
 * @param held constants of every row
 * @throws UnfitPayload for a date that has none of its forms
 */
export function mappedValues(
  kind: MappedKind,
  record: unknown,
  fields: Record<string, string>,
  forms: Forms,
  held: Record<string, string>,
): Map<string, unknown> {
  const values = new Map<string, unknown>()
  const yearPath = fields.year
  const year = shown((yearPath === undefined ? undefined : valueAt(record, yearPath)) ?? held.year ?? '').trim()
  for (const field of Object.keys(mappableFields[kind])) {
    const path = fields[field]
    const value = path === undefined ? undefined : valueAt(record, path)
    if (value !== undefined) values.set(field, formed(field, value, forms, year))
    else if (held[field] !== undefined) values.set(field, separated(field, held[field], forms))
  }
  return values
}

/**
 * A date by the forms its mapping names; other values as they are.
 * @param year for dates without one; empty when unknown
 * @throws UnfitPayload for a date that has none of its forms
 */
export function dated(field: string, value: unknown, { dates }: Forms, year: string | undefined): unknown {
  const forms = dates?.[field]
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  if (!forms || text === '') return value
  const read = readByForms(text, forms, year || undefined)
  const said = `${field}: "${text.slice(0, 100)}"`
  if (read === 'no-year')
    throw new UnfitPayload(
      `${said} names no year: tell it by a group of "fileName" in the mapping, such as (?<year>\\d{4}), or by a field "year"`,
    )
  if (read === undefined)
    throw new UnfitPayload(`${said} is of no form that the mapping names: ${forms.join('; ')}`)
  return read
}

/**
 * A value by the form that its mapping names for its field: a date, a number or a list; others as they are.
 * @param year for dates without one
 * @throws UnfitPayload for a value of another form
 */
export const formed = (field: string, value: unknown, forms: Forms, year: string | undefined): unknown =>
  separated(field, numbered(field, dated(field, value, forms, year), forms), forms)

function numbered(field: string, value: unknown, { numbers }: Forms): unknown {
  const form = numbers?.[field]
  if (form === undefined || typeof value !== 'string' || value.trim() === '') return value
  const read = numberForm(form)?.read(value)
  if (read === undefined)
    throw new UnfitPayload(
      `${field}: "${value.slice(0, 100)}" is not of the form that the mapping names: ${form}`,
    )
  return read
}

/** Whether a date may lack its year. */
export const lacksYear = ({ dates = {} }: Forms): boolean =>
  Object.values(dates)
    .flat()
    .some((name) => {
      const form = dateForm(name)
      return typeof form !== 'string' && !form.hasYear
    })

const isListField = (field: string) => Object.values(listFields).some((fields) => fields.includes(field))

function separated(field: string, value: unknown, { separators }: Forms): unknown {
  if (typeof value !== 'string') return value
  const marks = separators?.[field]
  if (!marks) return (isListField(field) && writtenList(value)) || value
  return marks
    .reduce((pieces, mark) => pieces.flatMap((piece) => piece.split(mark)), [value])
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
}

/** The values that a document states for all of its rows, at the paths of the mapping. @throws UnfitPayload */
export function aroundOf(payload: RawPayload, context: ReadingContext): Record<string, string> {
  if (context.layout !== 'document' || !context.document) return {}
  const document = payload.document()
  const reported = Object.entries(context.document).map(
    ([field, path]) => [field, valueAt(document, path)] as const,
  )
  const found = reported.filter(([, value]) => value !== undefined && value !== null)
  const year =
    found.find(([field]) => field === 'year')?.[1] ?? context.constants?.year ?? context.fallbacks?.year
  return Object.fromEntries(
    found.map(([field, value]) => [
      field,
      shown(dated(field, value, context, year === undefined ? undefined : shown(year))),
    ]),
  )
}

/** The result of a row, or the reason why it is unreadable. */
export function unlessUnreadable<Value>(read: () => Value): Value | string {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnfitPayload) return error.message
    throw error
  }
}

/** The message about a list in one column that was read as one value. */
export const nameSeparator = (field: string) =>
  `where a column holds several, its mapping names what parts them: "separators": {"${field}": "…"}`

/** A hint added to the message about an unreadable date: which format to name in the mapping. */
export const nameForm = (field: string, value: unknown): string =>
  /^\s*\d{4}-\d{2}-\d{2}/.test(shown(value ?? ''))
    ? ''
    : `; a mapping can name its form, such as "dates": {"${field}": "d/m/yy"}`

/** A hint added to the message about a number with unknown separators: which number format to name in the mapping. */
export function nameNumberForm(field: string, value: unknown): string {
  const marks = shown(value ?? '').match(/(?<=\d)[.,'’\s](?=\d)/g) ?? []
  const [first, last] = [marks[0], marks.at(-1)]
  if (first === undefined) return ''
  const isThousands = first === last && (marks.length > 1 || /\d\D\d{3}\s*$/.test(shown(value)))
  const form = isThousands
    ? `1${first}234`
    : first !== last
      ? `1${first}234${last}5`
      : `1${first === '.' ? ',' : '.'}234${first}5`
  return `; a mapping can name its form, such as "numbers": {"${field}": "${form}"}`
}

/** Whether a text for a single address contains several, joined by a character that may also occur in addresses. */
export const holdsSeveral = (address: string): boolean => /[,;|]\s*https?:\/\//i.test(address)
