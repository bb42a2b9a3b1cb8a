import { z } from 'zod'
import { holdsValue } from '../vocabulary/facts.ts'

/** Dotted paths into replies, such as `primaryCategory.value.name`: what can stand there, and what does. */

/** What a reply can hold at and below a place, lists and the states of facts seen through. */
export interface ReplyPaths {
  /** Names directly below, in the order of the shape. */
  readonly names: readonly string[]
  /** Undefined where nothing can stand. */
  at(path: readonly string[]): ReplyPaths | undefined
}

export function pathsOf(...shapes: readonly z.core.$ZodType[]): ReplyPaths {
  const objects = shapes.flatMap(objectsIn)
  return {
    names: [...new Set(objects.flatMap(({ shape }) => Object.keys(shape)))],
    at([name, ...rest]) {
      if (name === undefined) return this
      const below = objects.flatMap(({ shape }) => (Object.hasOwn(shape, name) ? [shape[name]] : []))
      return below.length === 0 ? undefined : pathsOf(...(below as z.core.$ZodType[])).at(rest)
    },
  }
}

/** The object shapes a place can have, whatever they are wrapped in. */
function objectsIn(shape: z.core.$ZodType): z.ZodObject[] {
  if (shape instanceof z.ZodObject) return [shape]
  if (shape instanceof z.ZodUnion) return shape.options.flatMap(objectsIn)
  if (shape instanceof z.ZodArray) return objectsIn(shape.element)
  if (shape instanceof z.ZodNullable || shape instanceof z.ZodOptional) return objectsIn(shape.unwrap())
  return []
}

/**
 * What stands at a path. A fact on the way that is absent or not measured is the answer; below a list, a list of answers.
 * Undefined where the value has nothing there.
 */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (Array.isArray(value)) return value.map((one) => valueAt(one, path))
  if (typeof value !== 'object' || value === null) return undefined
  if (Object.hasOwn(value, name)) return valueAt((value as Record<string, unknown>)[name], rest)
  return 'state' in value && !holdsValue(value.state) ? value : undefined
}
