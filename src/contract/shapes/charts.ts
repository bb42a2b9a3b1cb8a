import { z } from 'zod'
import { chartKinds } from '../../vocabulary/chart-kinds.ts'
import { devices } from '../../vocabulary/devices.ts'
import { Evidence, optionalPointEvidence } from './evidence.ts'
import { NotMeasured } from './facts.ts'
import { CategoryId, Country, Day } from './primitives.ts'

export const ChartKind = z.enum(chartKinds).meta({ id: 'ChartKind', description: 'Which of Apple’s charts.' })

export const Device = z.enum(devices).meta({ id: 'Device', description: 'Device the chart is for.' })

export const ChartName = z
  .object({
    country: Country,
    chart: ChartKind,
    categoryId: CategoryId,
    categoryName: z.string(),
    device: Device,
  })
  .meta({ id: 'ChartName', description: 'One Apple chart.' })

const depth = z.int().min(0).describe('How many places were looked at: absence means "not among these".')

const AbsentRank = z
  .object({ state: z.literal('absent'), depth })
  .meta({ id: 'AbsentRank', description: 'Looked for and not among the places returned.' })

export const Rank = z
  .discriminatedUnion('state', [
    z
      .object({ state: z.literal('measured'), value: z.int().min(1).describe('1 is best.'), depth })
      .meta({ id: 'MeasuredRank', description: 'A rank that was seen.' }),
    AbsentRank,
    NotMeasured,
  ])
  .meta({ id: 'Rank', description: 'A rank in three states.' })

export const RankOfDay = z
  .discriminatedUnion('state', [
    z
      .object({
        state: z.literal('measured'),
        value: z.int().min(1).describe('1 is best.'),
        depth: depth
          .nullable()
          .describe(
            'How many places were looked at; null where a list tells this rank and not the places around it, as rank histories of some apps do.',
          ),
      })
      .meta({ id: 'MeasuredRankOfDay', description: 'A rank that was seen, or told.' }),
    AbsentRank,
    NotMeasured,
  ])
  .meta({ id: 'RankOfDay', description: 'A rank of one day in three states.' })

export const SeriesPoint = z
  .object({ date: Day, rank: RankOfDay, ...optionalPointEvidence })
  .meta({ id: 'SeriesPoint', description: 'The rank on one day, oldest day first in a series.' })

export const ChartPosition = z
  .object({ ...ChartName.shape, rank: Rank, evidence: Evidence })
  .meta({ id: 'ChartPosition', description: 'Place of an app in the newest snapshot of a chart.' })
