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

/** What a language model is asked for. All keys are required: what an ad does not say is null or empty. */
const ModelAnswerShape = z.strictObject({
  hook: orNull,
  angle: orNull,
  offer: orNull,
  callToAction: orNull,
  urgency: orNull,
  audience: orNull,
  claims: z.array(Statement).max(100),
})

/** The same as JSON Schema, in the part of it that strict structured output takes: no lengths. */
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

/** What a model answered; a sentence of what is wrong with it when it is not what was asked for. */
export function readModelAnswer(content: string): ModelAnswer | { wrong: string } {
  const json = jsonIn(content)
  if (json === undefined) return { wrong: 'it is no JSON object' }
  const parsed = ModelAnswerShape.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return { wrong: `${issue?.path.join('.') || 'the object'}: ${issue?.code ?? 'is not as asked for'}` }
}

/** Servers that know no structured output let models write around it. */
function jsonIn(content: string): unknown {
  const [from, to] = [content.indexOf('{'), content.lastIndexOf('}')]
  if (from === -1 || to < from) return undefined
  try {
    return JSON.parse(content.slice(from, to + 1))
  } catch {
    return undefined
  }
}
