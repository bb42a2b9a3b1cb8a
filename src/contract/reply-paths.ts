import { z } from 'zod'
import { stateHasValue } from '../vocabulary/facts.ts'

/** Dotted paths into replies, such as `primaryCategory.value.name`: which are possible, and the value at one. */

/** The possible content of a reply at and below a path, seen through lists and the states of facts. */
export interface ReplyPaths {
  /** Names directly below, in the order of the shape. */
  readonly names: readonly string[]
  /** Undefined where no value is possible. */
  at(path: readonly string[]): ReplyPaths | undefined
}

export function replyPathsOf(...shapes: readonly z.core.$ZodType[]): ReplyPaths {
  const objects = shapes.flatMap(objectsIn)
  return {
    names: [...new Set(objects.flatMap(({ shape }) => Object.keys(shape)))],
    at([name, ...rest]) {
      if (name === undefined) return this
      const below = objects.flatMap(({ shape }) => (Object.hasOwn(shape, name) ? [shape[name]] : []))
      return below.length === 0 ? undefined : replyPathsOf(...(below as z.core.$ZodType[])).at(rest)
    },
  }
}

/** The object shapes a place can have, without their wrappers. */
function objectsIn(shape: z.core.$ZodType): z.ZodObject[] {
  if (shape instanceof z.ZodObject) return [shape]
  if (shape instanceof z.ZodUnion) return shape.options.flatMap(objectsIn)
  if (shape instanceof z.ZodArray) return objectsIn(shape.element)
  if (shape instanceof z.ZodNullable || shape instanceof z.ZodOptional) return objectsIn(shape.unwrap())
  return []
}

/**
 * The value at a path. Ends early at a fact that is absent or not measured, and returns it; below a list, returns a list of
 * values. Undefined where the value has nothing there.
 */
export function replyValueAt(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (Array.isArray(value)) return value.map((one) => replyValueAt(one, path))
  if (typeof value !== 'object' || value === null) return undefined
  if (Object.hasOwn(value, name)) return replyValueAt((value as Record<string, unknown>)[name], rest)
  return 'state' in value && !stateHasValue(value.state) ? value : undefined
}
