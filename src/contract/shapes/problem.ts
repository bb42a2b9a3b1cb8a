import { z } from 'zod'
import { type ProblemCode, problems } from '../problems.ts'
import { type Scope, scopes } from '../scopes.ts'
import { ChartName } from './charts.ts'
import { Country, Uuid } from './primitives.ts'

const codes = Object.keys(problems) as [ProblemCode, ...ProblemCode[]]

/** The URL that explains a problem: the `type` of every problem with this code. */
export function problemAddress(code: ProblemCode): string {
  return `/docs/problems#${code}`
}

/** Every failure, at every door (RFC 9457). Programs decide by `code`; the texts are for people and may change. */
export const Problem = z
  .object({
    type: z.string().describe('Address of the explanation on this installation, `/docs/problems#<code>`.'),
    title: z.string().describe('The kind of problem, always the same for a code.'),
    status: z.int().min(400).max(599).describe('The HTTP status.'),
    detail: z.string().describe('What went wrong this time.'),
    instance: z.string().describe('The path that was asked.'),
    code: z.enum(codes).describe('The kind of problem, for programs.'),
    requestId: z.string().describe('Names this request in the log of the service; also in `X-Request-Id`.'),
    errors: z
      .array(
        z.object({
          pointer: z
            .string()
            .describe('JSON pointer to the offending place, such as `/query/country` or `/body/kinds/0`.'),
          message: z.string(),
        }),
      )
      .optional()
      .describe('Every offending place; only with `invalid-request`.'),
    intake: z
      .object({
        state: z
          .enum(['none', 'queued', 'running', 'failed'])
          .describe('`none`: nobody has asked for the app with `request_ios_competitor`.'),
        intakeId: Uuid.nullable().describe('Null with `none`.'),
        country: Country.nullable().describe(
          'Storefront of that intake: the one asked for, or any where none was asked for. With `none` the one looked at; null when all were.',
        ),
      })
      .optional()
      .describe('Whether the app is being taken in; only with `competitor-not-found`.'),
    storedCharts: z
      .array(ChartName)
      .max(50)
      .optional()
      .describe(
        'Charts that are stored, those most like the one asked for first, at most 50: of its storefront, or of others where it has none. Only with `chart-not-found`.',
      ),
    retryAfterSeconds: z
      .int()
      .min(1)
      .optional()
      .describe(
        'How long the source wants to be left alone; only with `upstream-failed`, also in `Retry-After`.',
      ),
    scope: z
      .enum(Object.keys(scopes) as [Scope, ...Scope[]])
      .optional()
      .describe('The scope that is missing; only with `scope-missing`.'),
  })
  .meta({ id: 'Problem', description: 'A failure as RFC 9457 problem details.' })
