/**
 * Readers of the query of an address, which anybody may have typed: what does not fit is left out. Used in `validateSearch`
 * of a route: `({ q }) => compactSearch({ q: textParam(q) })`.
 */
export const textParam = (value: unknown, longest = 200): string | undefined => {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  return typeof text === 'string' && text.trim() !== '' && text.length <= longest ? text : undefined
}

export const oneOfParam = <Value extends string | number>(
  value: unknown,
  values: readonly Value[],
): Value | undefined => values.find((one) => one === value)

export const numberParam = (value: unknown, least: number, most: number): number | undefined =>
  typeof value === 'number' && value >= least && value <= most ? value : undefined

export const dayParam = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined

export const flagParam = (value: unknown): true | undefined => (value === true ? true : undefined)

/** The id of one of Apple's categories. */
export const categoryParam = (value: unknown): string | undefined => {
  const text = textParam(value, 10)
  return text && /^[1-9]\d*$/.test(text) ? text : undefined
}

/** The id of an app in the App Store. */
export const storeIdParam = (value: unknown): string | undefined => {
  const text = textParam(value, 19)
  return text && /^[1-9]\d*$/.test(text) ? text : undefined
}

/** The allowed ones of a list such as `us,de`, written alike; undefined where there are none. */
export function listParam<Value extends string>(
  value: unknown,
  values: readonly Value[],
  most = values.length,
): string | undefined {
  const chosen = parseList(value, values).slice(0, most)
  return chosen.length > 0 ? chosen.join(',') : undefined
}

/** The values in such a text, without duplicates. */
export const parseList = <Value extends string>(text: unknown, values: readonly Value[]): Value[] =>
  typeof text === 'string'
    ? [...new Set(text.split(','))].flatMap((one) => values.find((value) => value === one) ?? [])
    : []

/** An order such as `rank` or `-rank`, descending. */
export const sortParam = (value: unknown, columns: readonly string[]): string | undefined =>
  typeof value === 'string' && columns.includes(value.replace(/^-/, '')) ? value : undefined

/** Without the properties that are undefined, so that addresses stay short. */
export function compactSearch<Search extends object>(
  search: Search,
): {
  [Name in keyof Search]?: Exclude<Search[Name], undefined>
} {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as never
}
