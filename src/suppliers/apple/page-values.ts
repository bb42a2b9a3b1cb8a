import { address, shortText } from '../../ingest/fields.ts'

/** Values in the data of Apple's pages. */

/** Apple's picture addresses are templates; filled with the full size as JPEG, as Lookup does it. */
export function pictureAddress(artwork: unknown): string | undefined {
  const [template, width, height] = [at(artwork, 'template'), at(artwork, 'width'), at(artwork, 'height')]
  if (typeof template !== 'string' || !isSize(width) || !isSize(height)) return undefined
  const filled = template
    .replace('{w}', String(width))
    .replace('{h}', String(height))
    .replace('{c}', 'bb')
    .replace('{f}', 'jpg')
  return /[{}]/.test(filled) ? undefined : webAddress(filled)
}

const isSize = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0

export function webAddress(value: unknown): string | undefined {
  return address.safeParse(value).data
}

export function textOf(value: unknown): string | undefined {
  return shortText.safeParse(value).data || undefined
}

export type Shelves = Record<string, unknown>

export const itemsOf = (shelves: Shelves, name: string) => listOf(at(shelves[name], 'items'))

export const listOf = (value: unknown): unknown[] | undefined => (Array.isArray(value) ? value : undefined)

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at a path of keys, or undefined. Only own properties are read. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let found: unknown = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<string | number, unknown>)[key]
  }
  return found
}
