import { z } from 'zod'
import { Source } from './evidence.ts'
import { Country, Timestamp } from './primitives.ts'

export const SourceTrouble = z
  .object({
    source: Source,
    surface: z.string(),
    country: Country.nullable().describe(
      'Null for a source without storefronts, and where `text` names several.',
    ),
    kind: z
      .enum(['failing', 'throttled', 'suspect-empty'])
      .describe(
        '`suspect-empty`: it answers with nothing where it had results before, or with far fewer; `text` says which.',
      ),
    since: Timestamp,
    text: z.string().describe('What it means for this reply, in plain words.'),
  })
  .meta({ id: 'SourceTrouble', description: 'A source behind this reply that is not well now.' })

/** The current issues of the sources that a reply depends on. */
export const SourceIssueList = z
  .array(SourceTrouble)
  .describe('Sources behind this reply that are not well now, longest trouble first. Empty when all are.')

/** The current issues of the sources that the requested work asks. */
export const troubleOfWork = {
  trouble: z
    .array(SourceTrouble)
    .describe(
      'Sources that this will ask and that are not well now, longest trouble first: it waits for them. Empty when all are.',
    ),
}
