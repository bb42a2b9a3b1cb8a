import { z } from 'zod'
import type { Operation } from '../../contract/operation.ts'
import { UsageError } from './usage-error.ts'

/**
 * The paths `--fields` names, of each item of a list or of the reply.
 * @throws UsageError naming one that the reply never has, with those there are
 */
export function fieldsFrom(text: string, { reply, list }: Operation): string[] {
  const fields = [...new Set(text.split(',').map((field) => field.trim()))].filter((field) => field !== '')
  if (fields.length === 0) throw misuse('names no field')
  const items = list && reply ? reply.shape[list.at] : undefined
  const whole = items instanceof z.ZodArray ? items.element : reply
  for (const field of fields) {
    const { missing, names } = lookUp(whole, field.split('.'))
    if (missing !== undefined)
      throw misuse(
        `there is no ${JSON.stringify(missing)}${names.length ? `; there are ${names.join(', ')}` : ''}`,
      )
  }
  return fields
}

/** Only what the paths name, inside the properties they are in, in the order of the paths; lists are gone through. */
export function pick(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => pick(one, fields))
  if (typeof value !== 'object' || value === null) return value
  const inside = new Map<string, string[]>()
  for (const field of fields) {
    const [name = '', ...rest] = field.split('.')
    inside.set(name, [...(inside.get(name) ?? []), ...(rest.length > 0 ? [rest.join('.')] : [])])
  }
  return Object.fromEntries(
    [...inside]
      .filter(([name]) => Object.hasOwn(value, name))
      .map(([name, paths]) => {
        const property: unknown = Reflect.get(value, name)
        return [name, paths.length === 0 ? property : pick(property, paths)]
      }),
  )
}

const misuse = (message: string) => new UsageError([{ place: '--fields', message }])

function lookUp(shape: unknown, path: readonly string[]): { missing?: string; names: string[] } {
  const [name, ...rest] = path
  if (name === undefined) return { names: [] }
  const objects = objectsIn(shape)
  if (objects === 'anything') return { names: [] }
  const names = [...new Set(objects.flatMap(({ shape }) => Object.keys(shape)))]
  const having = objects.filter(({ shape }) => Object.hasOwn(shape, name))
  if (having.length === 0) return { missing: name, names }
  const found = having.map(({ shape }) => lookUp(shape[name], rest))
  return found.find(({ missing }) => missing === undefined) ?? { names: [], ...found[0] }
}

/** The objects a value of a shape can be, or hold as a list. */
function objectsIn(shape: unknown): z.ZodObject[] | 'anything' {
  if (shape instanceof z.ZodObject) return [shape]
  if (shape instanceof z.ZodOptional || shape instanceof z.ZodNullable || shape instanceof z.ZodDefault)
    return objectsIn(shape.unwrap())
  if (shape instanceof z.ZodArray) return objectsIn(shape.element)
  if (shape instanceof z.ZodRecord || shape instanceof z.ZodUnknown) return 'anything'
  if (!(shape instanceof z.ZodUnion)) return []
  const all = shape.options.map(objectsIn)
  return all.includes('anything') ? 'anything' : all.filter((one) => one !== 'anything').flat()
}
