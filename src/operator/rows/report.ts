import { z } from 'zod'
import { storefrontCodes } from '../../vocabulary/storefronts.ts'
import { commandRow } from '../command-row.ts'
import { Day, IsoWeek, Storefront, Text } from '../fields.ts'

/** The weekly report of an account. */
export const report = commandRow({
  needsStore: true,
  givesWay: false,
  asksSources: false,
  readsConfiguration: false,
  atDistance: false,
  input: z.strictObject({
    account: Text.default('default'),
    app: z.array(Text).exactOptional(),
    country: Storefront.exactOptional(),
    week: IsoWeek.exactOptional(),
    until: Day.exactOptional(),
    out: Text.exactOptional(),
    publicUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).exactOptional(),
  }),
  words: {
    account: { value: '<name>', about: 'whose tracked apps it is about' },
    app: { value: '<app...>', about: 'only these of them: App Store ids, bundle ids or addresses' },
    country: { value: '<cc>', about: 'only in this storefront', usually: storefrontCodes },
    week: {
      value: '<week>',
      about: 'such as 2026-W47, Monday to Sunday; the one that ended last when left out',
    },
    until: { value: '<day>', about: 'the seven days that end with this one instead' },
    out: {
      value: '<file>',
      about: 'ending with .html or .pdf; rivalscope-report-<last day>.html when left out',
    },
    publicUrl: {
      value: '<url>',
      about: 'address that links lead to; RIVALSCOPE_PUBLIC_URL when left out; none are made without',
    },
  },
  places: [],
  examples: ['rivalscope report --week 2026-W47 --out report.pdf'],
  perform: async () => (await import('../report-command.ts')).reportCommand,
})
