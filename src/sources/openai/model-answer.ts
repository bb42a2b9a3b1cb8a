import { z } from 'zod'
import type { ModelAnswer } from '../../domain/ad-analysis/model-analysis.ts'

const Statement = z.strictObject({
  statement: z.string().max(2_000),
  quotes: z
    .array(
      z.strictObject({
        text: z.string().max(2_000),
        foundIn: z.enum(['title', 'body', 'description', 'call-to-action', 'transcript']),
      }),
    )
    .max(50),
})

const orNull = Statement.nullable()

/** The answer requested from a language model. All keys are required: details that an ad does not state are null or empty. */
const ModelAnswerShape = z.strictObject({
  hook: orNull,
  angle: orNull,
  offer: orNull,
  callToAction: orNull,
  urgency: orNull,
  audience: orNull,
  claims: z.array(Statement).max(100),
})

/** The same as JSON Schema, in the subset that strict structured output supports: no lengths. */
export const modelAnswerSchema = withoutLengths(z.toJSONSchema(ModelAnswerShape)) as Record<string, unknown>

function withoutLengths(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutLengths)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !['maxLength', 'maxItems', '$schema'].includes(key))
      .map(([key, value]) => [key, withoutLengths(value)]),
  )
}

/** The parsed answer of a model, or a sentence about what is wrong with it. */
export function readModelAnswer(content: string): ModelAnswer | { wrong: string } {
  const json = jsonIn(content)
  if (json === undefined) return { wrong: 'it is no JSON object' }
  const parsed = ModelAnswerShape.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return { wrong: `${issue?.path.join('.') || 'the object'}: ${issue?.code ?? 'is not as asked for'}` }
}

/** On servers without structured output, models write text around the JSON. */
function jsonIn(content: string): unknown {
  const [from, to] = [content.indexOf('{'), content.lastIndexOf('}')]
  if (from === -1 || to < from) return undefined
  try {
    return JSON.parse(content.slice(from, to + 1))
  } catch {
    return undefined
  }
}
