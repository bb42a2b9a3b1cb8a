import { z } from 'zod'
import { projectionNames } from '../../projections/names.ts'
import { commandRow } from '../command-row.ts'
import { Flag, json, jsonAtTheEnd } from '../fields.ts'

const upkeep = { needsStore: true, asksSources: false, atDistance: false, places: [], examples: [] } as const

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

export const calibrate = commandRow({
  ...upkeep,
  givesWay: false,
  input: z.strictObject({ json: Flag }),
  words: { json },
  perform: async () => (await import('../calibrate-command.ts')).calibrateCommand,
})
