import { z } from 'zod'
import { storefrontCodes } from '../vocabulary/storefronts.ts'
import { command } from './command.ts'
import { given } from './field-help.ts'
import { Day, IsoWeek, Storefront, Text, WebAddress } from './fields.ts'

export const reportInput = {
  account: given('<name>', 'whose tracked apps it is about', Text.default('default')),
  app: given(
    '<app...>',
    'only these of them: App Store ids, bundle ids or addresses',
    z.array(Text).exactOptional(),
  ),
  country: given('<cc>', 'only in this storefront', Storefront.exactOptional(), { usually: storefrontCodes }),
  week: given(
    '<week>',
    'such as 2026-W47, Monday to Sunday; the one that ended last when left out',
    IsoWeek.exactOptional(),
  ),
  until: given('<day>', 'the seven days that end with this one instead', Day.exactOptional()),
  out: given(
    '<file>',
    'ending with .html or .pdf; rivalscope-report-<last day>.html when left out',
    Text.exactOptional(),
  ),
  publicUrl: given(
    '<url>',
    'address that links lead to; RIVALSCOPE_PUBLIC_URL when left out; none are made without',
    WebAddress.exactOptional(),
  ),
}

export const reportCommands = {
  report: command({
    input: reportInput,
    examples: ['rivalscope report --week 2026-W47 --out report.pdf'],
    perform: async (context, input) => (await import('./report-command.ts')).reportCommand(context, input),
  }),
}
