import { z } from 'zod'
import { Device, RankOfDay } from './charts.ts'
import { Evidence } from './evidence.ts'
import { CompactRank } from './keywords.ts'
import { Day } from './primitives.ts'

const told = {
  tool: z
    .string()
    .nullable()
    .describe('The tool that observed it, by its name; null where the file names none.'),
  device: Device.nullable().describe('Null where the file does not tell.'),
  from: Day.describe('The first day it tells.'),
  to: Day.describe('The last one.'),
  days: z.int().min(1).describe('How many days it tells between them.'),
  newest: RankOfDay.describe('On the last day.'),
  evidence: Evidence.describe('The file that tells the last day.'),
}

const apart =
  'Observations of another tool, from files: no page of this installation shows them. They fill no page, and no score, change, best rank or visibility rests on them.'

/** What another tool told, with the days of a window. */
export const ToolRankSeries = z
  .object({
    ...told,
    series: z
      .array(CompactRank)
      .describe('One entry for each day of `window`, oldest first, apart from the own `series`.'),
  })
  .meta({ id: 'ToolRankSeries', description: apart })

/** What another tool told, with its newest days. */
export const ToolRankHistory = z
  .object({
    ...told,
    history: z
      .array(
        z
          .object({ date: Day, rank: RankOfDay })
          .meta({ id: 'ToolRankDay', description: 'A rank as the tool told it, by its own day.' }),
      )
      .describe(
        'The newest 30 days it tells, oldest first. Days that it does not tell are left out and say nothing.',
      ),
  })
  .meta({ id: 'ToolRankHistory', description: apart })

export const otherTools =
  'What other tools told of it, each tool and device once. Empty when no file told anything.'
