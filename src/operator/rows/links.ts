import { z } from 'zod'
import { networks } from '../../vocabulary/networks.ts'
import { commandRow, type Words } from '../command-row.ts'
import { app, Flag, json, Text } from '../fields.ts'

/** Commands that decide which posts belong to which apps. */
const linking = {
  needsStore: true,
  givesWay: false,
  asksSources: false,
  readsConfiguration: false,
  atDistance: false,
  examples: [],
} as const

const postIds: Words = { value: '<postId...>', about: 'such as tiktok_7174039549943168700', whole: true }
const deciding = {
  ...linking,
  input: z.strictObject({ postIds: z.array(Text), app: Text, note: Text.exactOptional() }),
  words: { postIds, app, note: { value: '<text>', about: 'why, shown with the link' } },
  places: ['postIds'],
} as const

export const linkPosts = commandRow({
  ...deciding,
  perform: async () => (await import('../post-commands.ts')).linkPostsCommand,
})

export const unlinkPosts = commandRow({
  ...deciding,
  perform: async () => (await import('../post-commands.ts')).unlinkPostsCommand,
})

export const withdrawPosts = commandRow({
  ...linking,
  input: z.strictObject({ postIds: z.array(Text), app: Text }),
  words: { postIds, app },
  places: ['postIds'],
  perform: async () => (await import('../post-commands.ts')).withdrawPostsCommand,
})

const listing = { ...linking, input: z.strictObject({ json: Flag }), words: { json }, places: [] } as const

export const listPostDecisions = commandRow({
  ...listing,
  perform: async () => (await import('../post-commands.ts')).listPostDecisionsCommand,
})

const ofHandle = {
  ...linking,
  input: z.strictObject({ network: z.enum(networks), handle: Text, app: Text }),
  words: {
    network: { value: '<network>', about: '' },
    handle: {
      value: '<handle>',
      about: 'with or without @, or the address of the profile; on YouTube the id of the channel',
    },
    app,
  },
  places: ['network', 'handle'],
} as const

export const declareHandle = commandRow({
  ...ofHandle,
  perform: async () => (await import('../handle-commands.ts')).declareHandleCommand,
})

export const removeHandle = commandRow({
  ...ofHandle,
  perform: async () => (await import('../handle-commands.ts')).removeHandleCommand,
})

export const listHandles = commandRow({
  ...listing,
  perform: async () => (await import('../handle-commands.ts')).listHandlesCommand,
})
