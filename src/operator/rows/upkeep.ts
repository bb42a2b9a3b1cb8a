import { z } from 'zod'
import { models } from '../../backtests/models.ts'
import { projectionNames } from '../../projections/names.ts'
import { commandRow } from '../command-row.ts'
import { Flag, json, jsonAtTheEnd, Text } from '../fields.ts'

const upkeep = {
  needsStore: true,
  asksSources: false,
  readsConfiguration: false,
  atDistance: false,
  places: [],
  examples: [],
} as const

export const sources = commandRow({
  ...upkeep,
  givesWay: false,
  input: z.strictObject({ failing: Flag, json: Flag }),
  words: { failing: { value: null, about: 'only those that are not well' }, json },
  perform: async () => (await import('../sources-command.ts')).sourcesCommand,
})

export const replay = commandRow({
  ...upkeep,
  givesWay: true,
  input: z.strictObject({ projections: z.array(z.enum(projectionNames)).exactOptional(), json: Flag }),
  words: {
    projections: {
      value: '<projection...>',
      about: 'which to make anew, each beside the one that is served; all when none is named',
      whole: true,
    },
    json: jsonAtTheEnd,
  },
  places: ['projections'],
  examples: ['rivalscope replay charts keywords'],
  perform: async () => (await import('../replay-command.ts')).replayCommand,
})

export const showRetention = commandRow({
  ...upkeep,
  readsConfiguration: true,
  givesWay: true,
  input: z.strictObject({ json: Flag }),
  words: { json },
  perform: async () => (await import('../retention-command.ts')).showRetentionCommand,
})

export const applyRetention = commandRow({
  ...upkeep,
  readsConfiguration: true,
  givesWay: true,
  input: z.strictObject({ json: Flag }),
  words: { json: jsonAtTheEnd },
  perform: async () => (await import('../retention-command.ts')).applyRetentionCommand,
})

export const calibrate = commandRow({
  ...upkeep,
  givesWay: false,
  input: z.strictObject({ json: Flag }),
  words: { json },
  perform: async () => (await import('../calibrate-command.ts')).calibrateCommand,
})

export const backtest = commandRow({
  ...upkeep,
  givesWay: true,
  input: z.strictObject({
    models: z.array(z.enum(models)).exactOptional(),
    all: Flag,
    out: Text.exactOptional(),
    json: Flag,
  }),
  words: {
    models: {
      value: '<model...>',
      about: 'which scores to hold against what is stored; all when none is named',
      whole: true,
    },
    all: { value: null, about: 'all of them, whatever else is named' },
    out: {
      value: '<dir>',
      about: 'also write report.md with pictures, and report.json, to a folder of their own',
    },
    json,
  },
  places: ['models'],
  examples: ['rivalscope backtest volatility', 'rivalscope backtest --all --out backtests'],
  perform: async () => (await import('../backtest-command.ts')).backtestCommand,
})
