import { z } from 'zod'
import { TimeZone } from '../../jobs/telling/settings.ts'
import { chartKinds } from '../../vocabulary/chart-kinds.ts'
import { devices } from '../../vocabulary/devices.ts'
import { storefrontCodes } from '../../vocabulary/storefronts.ts'
import { digests, watchKinds, wayKinds, webhookShapes } from '../../vocabulary/watches.ts'
import { commandRow, type Words } from '../command-row.ts'
import { Flag, json, Moment, Storefront, Term, Text } from '../fields.ts'

/** Commands about what accounts watch, and how they are told. */
const inStore = {
  needsStore: true,
  givesWay: false,
  asksSources: false,
  readsConfiguration: false,
  atDistance: false,
  examples: [],
} as const
/** Those that call receivers, or know where links lead, as configured. */
const calling = { ...inStore, asksSources: true } as const

const ofAccount = z.string().default('default')
const account: Words = { value: '<name>', about: 'account it belongs to' }
const onlyAccount: Words = { value: '<name>', about: 'only of this account' }
const Places = z.int().min(1).max(1_000)
const Hours = z.int().min(1).max(8_760)
const Genre = z.int().positive().max(999_999)

export const addWatch = commandRow({
  ...inStore,
  input: z.strictObject({
    kind: z.enum(watchKinds),
    account: ofAccount,
    app: Text.exactOptional(),
    country: Storefront.exactOptional(),
    in: z.enum(['charts', 'keywords']).exactOptional(),
    chart: z.enum(chartKinds).exactOptional(),
    category: Genre.exactOptional(),
    device: z.enum(devices).exactOptional(),
    term: Term.exactOptional(),
    places: z.array(Places).exactOptional(),
    by: Places.exactOptional(),
    hours: Hours.exactOptional(),
  }),
  words: {
    kind: { value: '<kind>', about: '' },
    account,
    app: { value: '<app>', about: 'App Store id, or own, rivals or tracked; rivals when left out' },
    country: { value: '<cc>', about: 'storefront; us when left out', usually: storefrontCodes },
    in: { value: '<where>', about: 'ranks of charts, or of tracked keywords; charts when left out' },
    chart: { value: '<name>', about: 'only this chart' },
    category: { value: '<id>', about: 'only this Apple genre id' },
    device: { value: '<name>', about: 'only this device' },
    term: { value: '<text>', about: 'only this keyword, tracked or not; with --in keywords' },
    places: { value: '<n...>', about: 'of top: 3, 10 and 50 when left out' },
    by: { value: '<n>', about: 'of moved: places between two captures; 10 when left out' },
    hours: { value: '<n>', about: 'of source: how long it fails; 24 when left out' },
  },
  places: ['kind'],
  examples: [
    'rivalscope watches add top --app rivals --country us --places 3 10',
    'rivalscope watches add moved --app 553834731 --in keywords --by 5',
  ],
  perform: async () => (await import('../watch-commands.ts')).addWatchCommand,
})

const listing = {
  ...inStore,
  input: z.strictObject({ account: Text.exactOptional(), json: Flag }),
  words: { account: onlyAccount, json },
  places: [],
} as const

export const listWatches = commandRow({
  ...listing,
  perform: async () => (await import('../watch-commands.ts')).listWatchesCommand,
})

export const removeWatch = commandRow({
  ...inStore,
  input: z.strictObject({ watchId: Text }),
  words: { watchId: { value: '<watchId>', about: '' } },
  places: ['watchId'],
  perform: async () => (await import('../watch-commands.ts')).removeWatchCommand,
})

export const testWays = commandRow({
  ...calling,
  input: z.strictObject({ account: ofAccount }),
  words: { account },
  places: [],
  perform: async () => (await import('../way-commands.ts')).testWaysCommand,
})

export const setTimes = commandRow({
  ...inStore,
  input: z.strictObject({ account: ofAccount, timeZone: TimeZone, quiet: Text.exactOptional() }),
  words: {
    account,
    timeZone: { value: '<zone>', about: 'such as Europe/Berlin' },
    quiet: { value: '<hours>', about: 'such as 22:00-07:30; none when left out' },
  },
  places: [],
  perform: async () => (await import('../way-commands.ts')).timesCommand,
})

export const listDeliveries = commandRow({
  ...inStore,
  input: z.strictObject({ account: Text.exactOptional(), dead: Flag, json: Flag }),
  words: { account: onlyAccount, dead: { value: null, about: 'only those that were given up' }, json },
  places: [],
  perform: async () => (await import('../way-commands.ts')).deliveriesCommand,
})

export const resendDeliveries = commandRow({
  ...inStore,
  input: z.strictObject({ deliveryId: Text.exactOptional(), account: Text.exactOptional() }),
  words: {
    deliveryId: { value: '<deliveryId>', about: '' },
    account: { value: '<name>', about: 'all that are dead of this account' },
  },
  places: ['deliveryId'],
  perform: async () => (await import('../way-commands.ts')).resendCommand,
})

export const addWay = commandRow({
  ...calling,
  input: z.strictObject({
    kind: z.enum(wayKinds),
    address: Text.exactOptional(),
    account: ofAccount,
    shape: z.enum(webhookShapes).exactOptional(),
    digest: z.enum(digests).exactOptional(),
  }),
  words: {
    kind: { value: '<kind>', about: '' },
    address: { value: '<address>', about: 'URL of the webhook, or where mail goes' },
    account,
    shape: { value: '<shape>', about: 'whose format a webhook takes; generic when left out' },
    digest: { value: '<when>', about: 'when mail is sent; immediate when left out' },
  },
  places: ['kind', 'address'],
  examples: [
    'rivalscope ways add webhook https://example.com/rivals',
    'rivalscope ways add email me@example.com --digest daily',
    'rivalscope ways add feed',
  ],
  perform: async () => (await import('../way-commands.ts')).addWayCommand,
})

export const listWays = commandRow({
  ...listing,
  perform: async () => (await import('../way-commands.ts')).listWaysCommand,
})

export const removeWay = commandRow({
  ...inStore,
  input: z.strictObject({ wayId: Text }),
  words: { wayId: { value: '<wayId>', about: '' } },
  places: ['wayId'],
  perform: async () => (await import('../way-commands.ts')).removeWayCommand,
})

export const follow = commandRow({
  ...inStore,
  input: z.strictObject({
    account: Text.exactOptional(),
    since: Moment.exactOptional(),
    once: Flag,
    publicUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).exactOptional(),
    json: Flag,
  }),
  words: {
    account: onlyAccount,
    since: { value: '<time>', about: 'begin with those recorded from then on; with new ones when left out' },
    once: { value: null, about: 'end once all that there are were printed' },
    publicUrl: { value: '<url>', about: 'address that links lead to; that of the configuration when left out' },
    json: { value: null, about: 'as NDJSON' },
  },
  places: [],
  examples: ['rivalscope watch --json | jq .title'],
  perform: async () => (await import('../watch-commands.ts')).followCommand,
})
