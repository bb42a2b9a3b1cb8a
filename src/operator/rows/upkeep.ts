import { z } from 'zod'
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
  input: z.strictObject({ json: Flag }),
  words: { json: jsonAtTheEnd },
  perform: async () => (await import('../replay-command.ts')).replayCommand,
})

export const calibrate = commandRow({
  ...upkeep,
  givesWay: false,
  input: z.strictObject({ json: Flag }),
  words: { json },
  perform: async () => (await import('../calibrate-command.ts')).calibrateCommand,
})
