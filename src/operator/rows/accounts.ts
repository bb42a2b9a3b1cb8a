import { z } from 'zod'
import { scopes as knownScopes } from '../../contract/scopes.ts'
import { commandRow } from '../command-row.ts'
import { BytesOrNone, Flag, json, LimitOrNone, Moment, Network, Scope, Text } from '../fields.ts'

/** Commands about accounts and what they brought or requested. */
const ofAccounts = {
  givesWay: false,
  asksSources: false,
  readsConfiguration: false,
  atDistance: false,
  examples: [],
} as const
/** Of `serve` where nothing else is said. */
const usualAddress = 'http://127.0.0.1:8787'
const inStore = { ...ofAccounts, needsStore: true } as const

export const CreateKeyInput = z.strictObject({
  name: Text,
  scopes: z.array(Scope),
  account: Text.exactOptional(),
  expires: Moment.exactOptional(),
  bringEvidence: z.enum(['on', 'off']).exactOptional(),
  networks: z.array(Network).exactOptional(),
  admin: Flag,
})
export const ListKeysInput = z.strictObject({ json: Flag })
export const RotateKeyInput = z.strictObject({
  key: Text,
  overlapHours: z.coerce.number().min(0).max(2_160).default(24),
})
export const KeyInput = z.strictObject({ key: Text })

export const createKey = commandRow({
  ...ofAccounts,
  needsStore: false,
  atDistance: true,
  input: CreateKeyInput,
  words: {
    name: { value: '<name>', about: 'what the key is for' },
    scopes: {
      value: '<list>',
      about: 'context:read, content:write or both, separated by a comma',
      usually: Object.keys(knownScopes),
    },
    account: { value: '<name>', about: 'account it belongs to; "default" when left out' },
    expires: { value: '<time>', about: 'when it ends; never when left out' },
    bringEvidence: {
      value: '<on|off>',
      about: 'whether it may bring ad records and links of its own; on when left out',
    },
    networks: {
      value: '<list>',
      about: 'addresses it may be used from, such as 10.0.0.0/8,2001:db8::/32; everywhere when left out',
    },
    admin: {
      value: null,
      about: 'whether it makes, rotates and revokes keys of its account, by --server',
    },
  },
  places: [],
  perform: async () => (await import('../key-commands.ts')).createKeyCommand,
})

export const listKeys = commandRow({
  ...inStore,
  atDistance: true,
  input: ListKeysInput,
  words: { json },
  places: [],
  perform: async () => (await import('../key-commands.ts')).listKeysCommand,
})

export const rotateKey = commandRow({
  ...inStore,
  atDistance: true,
  input: RotateKeyInput,
  words: {
    key: { value: '<key>', about: 'id of the key, or its name where only one valid key has it' },
    overlapHours: { value: '<hours>', about: 'how long the old one still works' },
  },
  places: ['key'],
  perform: async () => (await import('../key-commands.ts')).rotateKeyCommand,
})

export const listAccounts = commandRow({
  ...inStore,
  input: z.strictObject({ json: Flag }),
  words: { json },
  places: [],
  perform: async () => (await import('../account-commands.ts')).listAccountsCommand,
})

export const limitAccount = commandRow({
  ...inStore,
  input: z.strictObject({
    account: Text,
    requestsPerMinute: LimitOrNone.exactOptional(),
    items: LimitOrNone.exactOptional(),
    mediaBytes: BytesOrNone.exactOptional(),
  }),
  words: {
    account: { value: '<account>', about: '' },
    requestsPerMinute: { value: '<n|none>', about: 'by all its keys and people together' },
    items: { value: '<n|none>', about: 'saved posts and ads, tracked apps, keywords and watches' },
    mediaBytes: { value: '<bytes|none>', about: 'of copies of what it saved, such as 500MB or 5GB' },
  },
  places: ['account'],
  examples: ['rivalscope accounts limit studio --requests-per-minute 600 --items 5000 --media-bytes 5GB'],
  perform: async () => (await import('../account-commands.ts')).limitAccountCommand,
})

export const audit = commandRow({
  ...inStore,
  input: z.strictObject({
    account: Text.exactOptional(),
    from: Moment.exactOptional(),
    to: Moment.exactOptional(),
    json: Flag,
  }),
  words: {
    account: { value: '<name>', about: 'only what is about this account' },
    from: { value: '<time>', about: 'only since then' },
    to: { value: '<time>', about: 'only before then' },
    json: { value: null, about: 'one JSON object per line, whole' },
  },
  places: [],
  perform: async () => (await import('../audit-command.ts')).auditCommand,
})

export const revokeKey = commandRow({
  ...inStore,
  atDistance: true,
  input: KeyInput,
  words: { key: { value: '<key>', about: '' } },
  places: ['key'],
  perform: async () => (await import('../key-commands.ts')).revokeKeyCommand,
})

export const linkKey = commandRow({
  ...inStore,
  input: z.strictObject({
    key: Text,
    publicUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).default(usualAddress),
  }),
  words: {
    key: { value: '<key>', about: 'id of the key, or its name where only one valid key has it' },
    publicUrl: { value: '<url>', about: 'address that people reach the service by' },
  },
  places: ['key'],
  perform: async () => (await import('../key-commands.ts')).linkKeyCommand,
})

export const listRequests = commandRow({
  ...inStore,
  input: z.strictObject({
    status: z.enum(['open', 'fulfilled', 'dismissed', 'all']).default('open'),
    json: Flag,
  }),
  words: { status: { value: '<status>', about: 'which requests' }, json },
  places: [],
  perform: async () => (await import('../request-commands.ts')).listRequestsCommand,
})

export const dismissRequest = commandRow({
  ...inStore,
  input: z.strictObject({ requestId: Text, reason: Text.exactOptional() }),
  words: {
    requestId: { value: '<requestId>', about: '' },
    reason: { value: '<text>', about: 'why, told to those who asked' },
  },
  places: ['requestId'],
  perform: async () => (await import('../request-commands.ts')).dismissRequestCommand,
})

export const listEvidence = commandRow({
  ...inStore,
  input: z.strictObject({ account: Text.exactOptional(), json: Flag }),
  words: { account: { value: '<name>', about: 'only what this account brought' }, json },
  places: [],
  perform: async () => (await import('../evidence-commands.ts')).listEvidenceCommand,
})

export const withdrawEvidence = commandRow({
  ...inStore,
  input: z.strictObject({ id: Text }),
  words: { id: { value: '<id>', about: '' } },
  places: ['id'],
  perform: async () => (await import('../evidence-commands.ts')).withdrawEvidenceCommand,
})
