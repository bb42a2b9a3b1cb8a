import type { z } from 'zod'
import { flatShape } from '../contract/flat-arguments.ts'
import type { Operation } from '../contract/operation.ts'

/**
 * Corrects common mistakes of models and simple clients in arguments: `null` for an omitted one, a number for a text of digits
 * and the reverse, one value for a list. Each is replaced only where it is refused as given and accepted when replaced.
 * @returns undefined where nothing could be replaced
 */
export function meantArguments(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const shape = flatShape(operation).shape as Record<string, z.ZodType>
  let replaced = false
  const meant = Object.entries(given).flatMap(([name, value]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined
    const found = field && !takes(field, value) ? meaningsOf(value).find((one) => takes(field, one)) : undefined
    const isLeftOut = found === undefined && value === null && field !== undefined && takes(field, undefined)
    if (found === undefined && !isLeftOut) return [[name, value] as const]
    replaced = true
    return isLeftOut ? [] : [[name, found] as const]
  })
  return replaced ? Object.fromEntries(meant) : undefined
}

const takes = (field: z.ZodType, value: unknown) => field.safeParse(value).success

/** The values that a value may stand for, the likeliest first. */
function meaningsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return [value.map(asText)]
  if (value === null || typeof value === 'object') return []
  const number = typeof value === 'string' && /^-?\d{1,15}(?:\.\d+)?$/.test(value) ? [Number(value)] : []
  return [asText(value), ...number, [value], [asText(value)]]
}

/** Safe integers become text; any other value stays as it is. */
const asText = (value: unknown) => (Number.isSafeInteger(value) ? String(value) : value)
