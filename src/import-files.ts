import { basename, relative } from 'node:path'
import { z } from 'zod'
import { withoutControls } from './cli/present/harmless-text.ts'
import type { ImportRequest } from './imports/import-request.ts'
import type { Input } from './imports/input-file.ts'
import type { Preview } from './imports/preview.ts'
import type { AnyKind, Recognised, Recognition } from './imports/recognise.ts'
import { Refusal, type StoreCommand, standalone } from './operator/command.ts'
import { flag, type Input as Given, given } from './operator/field-help.ts'
import { Encoding, jsonSummaryFlag, Moment, Storefront, Text } from './operator/fields.ts'
import { config, location } from './operator/location.ts'
import type { StandaloneContext } from './operator/operator-context.ts'
import { chartKinds, chartKindsInWords } from './vocabulary/chart-kinds.ts'
import { devices } from './vocabulary/devices.ts'
import { storefrontCodes } from './vocabulary/storefronts.ts'

/** `rivalscope import FILES`: recognises what files are, shows what importing them would do, and does it. */

const input = {
  files: given('<files...>', '', z.array(Text), { whole: true }),
  dryRun: flag('show what would be done, and store nothing'),
  yes: flag('import what is recognised, without asking'),
  account: given(
    '<name>',
    'whose keywords, competitors, listing and saved items become; "default" when left out',
    Text.exactOptional(),
  ),
  app: given('<app>', 'the tracked app of keywords and listings that name none', Text.exactOptional()),
  country: given('<cc>', 'storefront of files that do not name theirs', Storefront.exactOptional(), {
    usually: storefrontCodes,
  }),
  chart: given('<name>', `${chartKindsInWords}, for charts that do not name theirs`, Text.exactOptional(), {
    usually: chartKinds,
  }),
  category: given('<id>', 'Apple genre id or name, for charts that do not name theirs', Text.exactOptional()),
  device: given('<name>', 'for charts that do not name theirs', z.enum(devices).exactOptional()),
  observedAt: given(
    '<time>',
    'when the files were captured; else the payload, the file name or the file tells',
    Moment.exactOptional(),
  ),
  encoding: given(
    '<name>',
    'of text that is not UTF-8 and has no mark, such as windows-1252',
    Encoding.exactOptional(),
  ),
  json: jsonSummaryFlag,
  ...location,
  config,
}

type Options = Given<typeof input>

/** How files are to be taken, of what `rivalscope import` takes, and what is said of a file that is sent from the pages. */
export interface Reading extends Pick<Options, 'files' | keyof typeof sayable> {
  /** What a file is taken for that is not recognised, or could be several things. */
  kind?: AnyKind
  /** Most bytes of a file when it is unpacked. */
  mostUnpacked?: number
}

/** Where files lie, and who is told how far reading them is. */
export type Reader = Pick<StandaloneContext, 'directory' | 'signal'> & {
  terminal: Pick<StandaloneContext['terminal'], 'progress'>
}

export const importFiles = {
  import: standalone({
    input,
    places: ['files'],
    examples: ['rivalscope import --dry-run old-tool/', 'rivalscope import old-tool/ --app 6449912345'],
    perform: importRecognised,
  }),
}

/** The kinds in the order in which they are imported: keywords need their app tracked, saved items their posts and ads. */
const inOrder = {
  ...{ catalogue: true, charts: true, 'search-results': true, 'keyword-ranks': true, sales: true },
  ...{ organic: true, 'paid-ads': true, competitors: true, keywords: true, listing: true, saved: true },
} as const satisfies Record<AnyKind, true>
export const order = Object.keys(inOrder) as AnyKind[]

/** What can be said of files beside their kind. */
export const sayable = {
  ...{ app: input.app, country: input.country, chart: input.chart, category: input.category },
  ...{ device: input.device, observedAt: input.observedAt, encoding: input.encoding },
}

/** A file with what it was taken for. */
export interface Looked {
  input: Input
  /** Its path from here. */
  file: string
  meant: readonly Recognised[]
  /** The kinds that it could be, where it could be several. */
  several: readonly Recognised[]
  /** Why it is none. */
  why: string | null
  /** What the import of the last of them would do; null where there is none. */
  preview: Preview | null
}

async function importRecognised(context: StandaloneContext, options: Options): Promise<number> {
  const { terminal, signal } = context
  const { dryRun = false, yes = false, json = false } = options
  const ask = json ? undefined : terminal.ask
  const looked = await lookAt(context, options)
  const show = dryRun ? terminal.out.bind(terminal) : terminal.note.bind(terminal)
  if (!json) for (const line of shown(looked)) show(line)
  if (!dryRun && !yes && !ask)
    throw new Refusal(
      'Nothing was stored: nobody is here to be asked. --yes imports what is recognised, --dry-run shows it.',
      2,
    )
  if (!dryRun && !yes && ask)
    for (const one of looked) {
      signal.throwIfAborted()
      if (one.several.length === 0) continue
      one.meant = await chosen(one, ask)
      one.preview = await previewOf(context, options, one.input, one.meant[0])
    }
  const taken = looked.filter(({ meant, preview }) => meant.length > 0 && isOfUse(preview))
  if (dryRun) {
    if (json) terminal.out(JSON.stringify({ files: looked.map(reported) }))
    return taken.length > 0 ? 0 : 1
  }
  if (taken.length === 0) {
    if (json) terminal.out(JSON.stringify({ files: looked.map(reported), imports: [] }))
    else terminal.note('Nothing was stored: there is nothing to import.')
    return 1
  }
  if (!yes && ask && !/^y(?:es)?$/i.test((await ask(`Import ${files(taken.length)}? [y/N] `)).trim())) {
    terminal.note('Nothing was stored.')
    return 0
  }
  return importAll(context, options, looked, taken)
}

/** Whether an import would take something, or explains something. */
export const isOfUse = (preview: Preview | null) =>
  preview !== null &&
  (preview.records === 0 ? preview.firstRefusal === null : preview.refused < preview.records)

const files = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'file' : 'files'}`

/** Recognises each file, and reads it as its import would. @throws Refusal where files cannot be read */
export async function lookAt(context: Reader, options: Reading): Promise<Looked[]> {
  const { terminal, directory, signal } = context
  const { inputsOf } = await import('./imports/input-file.ts')
  const { Recogniser } = await import('./imports/recognise.ts')
  if (options.files.includes('-'))
    throw new Refusal('Standard input can be read once: name its kind, as in rivalscope import charts -', 2)
  const found = await inputsOf(options.files, directory, undefined).catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(
      error.code === 'ENOENT' || error.code === 'ENOTDIR'
        ? `There is no file or directory ${relative(directory, error.path ?? '')}. A kind goes before its files: rivalscope import KIND FILES; kinds are ${order.join(', ')}.`
        : `The files cannot be read: ${error.message}`,
      2,
    )
  })
  const { mostUnpacked } = options
  const inputs = mostUnpacked === undefined ? found : found.map((one) => ({ ...one, mostUnpacked }))
  const recogniser = new Recogniser(options.encoding)
  const looked: Looked[] = []
  for (const [index, input] of inputs.entries()) {
    signal.throwIfAborted()
    terminal.progress({ label: basename(input.name), done: index, total: inputs.length, unit: 'files' })
    const found = as(options.kind, await recogniser.recognise(input))
    const one: Looked = {
      input,
      file: relative(directory, input.name),
      ...{ meant: [], several: [], why: null, preview: null },
    }
    looked.push(one)
    if ('why' in found) one.why = found.why
    else if ('meant' in found) {
      one.meant = found.meant
      one.preview = await previewOf(context, options, input, found.meant.at(-1))
    } else {
      const fitting: { recognised: Recognised; preview: Preview }[] = []
      for (const recognised of found.several) {
        const preview = await previewOf(context, options, input, recognised)
        if (preview && preview.records > 0 && preview.refused === 0) fitting.push({ recognised, preview })
      }
      // A kind that refuses a part of a file is not meant where another one takes all of it.
      const [only, other] = fitting
      if (only && !other) Object.assign(one, { meant: [only.recognised], preview: only.preview })
      else one.several = found.several
    }
  }
  return looked
}

/** A recognition with what a person says of it: a kind for what is not recognised, or one of several. */
export function as(kind: AnyKind | undefined, found: Recognition): Recognition {
  if (kind === undefined || 'meant' in found) return found
  const said = { kind, of: 'as it was said to be', unread: [] }
  return { meant: [('several' in found && found.several.find((one) => one.kind === kind)) || said] }
}

async function previewOf(
  { terminal, directory, signal }: Reader,
  options: Reading,
  input: Input,
  recognised: Recognised | undefined,
): Promise<Preview | null> {
  if (!recognised) return null
  const { kind, map } = recognised
  const { readMapping } = await import('./ingest/mapping/mapping.ts')
  const { previewImport, previewList, previewListing } = await import('./imports/preview.ts')
  if (kind === 'keywords' || kind === 'competitors') return previewList(kind, input, options.encoding)
  if (kind === 'listing') return previewListing(input.name, options.encoding)
  if (kind === 'saved') {
    const { previewSaved } = await import('./operator/import-saved-command.ts')
    return previewSaved(input, options.encoding)
  }
  const { encoding, country, observedAt, chart, category, device, app } = options
  const { competitorIn } = await import('./imports/account-lists.ts')
  const named = app === undefined ? undefined : competitorIn(app)
  const storeId = named && ('storeId' in named ? named.storeId : anyStoreId)
  const request: ImportRequest = {
    kind,
    paths: [input.name],
    directory,
    rejectedFile: '',
    ...(map && kind !== 'paid-ads' ? { mapping: await readMapping(map, kind) } : {}),
    ...stated({ encoding, country, observedAt }),
    ...(kind === 'charts' ? stated({ chart, category, device }) : {}),
    ...(kind === 'keyword-ranks' ? stated({ app: storeId, device }) : {}),
  }
  return previewImport(input, request, (done, total, label) => {
    signal.throwIfAborted()
    terminal.progress({ label, done, total, unit: 'bytes' })
  })
}

/** Stands in a preview for an app that only the store can look up: the import does. */
const anyStoreId = '1'

/** The fields that have a value. */
const stated = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: NonNullable<Fields[Name]>
  }

/** What a person is asked for a file that could be several things. @returns what is meant; nothing where it is left out */
async function chosen(
  { file, several }: Looked,
  ask: (question: string) => Promise<string>,
): Promise<readonly Recognised[]> {
  const choices = several.map(({ kind, of }) => `${kind} (${of})`).join(' or ')
  const answer = (await ask(`${withoutControls(file)} could be ${choices}. Which? Enter leaves it out: `))
    .trim()
    .toLowerCase()
  return several.filter(({ kind }) => kind === answer)
}

/** Imports the files kind by kind, as the commands of the kinds do it. @returns 0 where each took something */
async function importAll(
  context: StandaloneContext,
  options: Options,
  looked: readonly Looked[],
  taken: readonly Looked[],
): Promise<number> {
  const { terminal } = context
  const { performOnStore } = await import('./operate.ts')
  const { importCommands: rows } = await import('./operator/imports.ts')
  const { json = false } = options
  const imports: unknown[] = []
  let code = 0
  for (const kind of order) {
    const name = `import ${kind}` as const
    const row: StoreCommand = rows[name]
    const ofKind = taken.flatMap(({ input, meant }) => {
      const one = meant.find((recognised) => recognised.kind === kind)
      return one ? [{ path: input.name, map: one.map }] : []
    })
    const shared = takenBy(row, options)
    const gathered = { ...terminalOf(terminal), out: (line: string) => void imports.push(JSON.parse(line)) }
    for (const [map, some] of Map.groupBy(ofKind, (one) => one.map)) {
      const paths = some.map(({ path }) => path)
      const input = { ...shared, files: paths, ...(map ? { map } : {}) }
      const ended = await performOnStore({ name, row, input, options }, json ? gathered : terminal, context)
      code = Math.max(code, ended)
    }
  }
  const left = looked.filter((one) => !taken.includes(one))
  if (json) terminal.out(JSON.stringify({ files: looked.map(reported), imports }))
  else if (left.length > 0) terminal.note(`${files(left.length)} left out, as said above.`)
  return code
}

/** What the command of a kind takes of what is said of all files. */
export const takenBy = (row: Pick<StoreCommand, 'fields'>, said: object) =>
  Object.fromEntries(
    Object.entries(said).filter(([field]) => field in row.fields && field !== 'files'),
  ) as Record<string, unknown>

const terminalOf = (terminal: StandaloneContext['terminal']) => ({
  note: terminal.note.bind(terminal),
  progress: terminal.progress.bind(terminal),
})

/** A file as JSON shows it. */
export function reported({ file, meant, several, why, preview }: Looked) {
  const main = meant.at(-1)
  return {
    ...{ file, kind: main?.kind ?? null, of: main?.of ?? null },
    /** The kinds that are imported of it, in their order. */
    kinds: meant.map(({ kind }) => kind),
    couldBe: several.map(({ kind, of }) => ({ kind, of })),
    ...{ why, unread: main?.unread ?? [] },
    ...(preview ?? {}),
  }
}

/** Files of one kind that nothing is to be said of, from which on they are shown in one line. */
const summedFrom = 6

/** What was found, in lines: each file with something to say, and many of a kind together. */
function shown(looked: readonly Looked[]): string[] {
  const lines: string[] = []
  for (const [key, ofKind] of Map.groupBy(looked, keyOf)) {
    const plain = ofKind.filter(isPlain)
    if (key !== '' && plain.length >= summedFrom) lines.push(...linesOf(summed(plain)))
    for (const one of ofKind)
      if (key === '' || plain.length < summedFrom || !isPlain(one)) lines.push(...linesOf(one))
  }
  const counts = [
    ...Map.groupBy(looked, ({ meant, several }) => meant.at(-1)?.kind ?? (several.length > 0 ? '?' : '')),
  ]
  const parts = counts.map(([kind, { length }]) =>
    kind === ''
      ? `${length} not recognised`
      : kind === '?'
        ? `${length} could be several kinds`
        : `${length} ${kind}`,
  )
  return [...lines, `${files(looked.length)}: ${parts.join(', ')}`]
}

const keyOf = ({ meant }: Looked) => meant.map(({ kind, of }) => `${kind} ${of}`).join(', ')

const isPlain = ({ meant, preview }: Looked) =>
  preview !== null &&
  preview.refused === 0 &&
  preview.notes.length === 0 &&
  Object.keys(preview.unreadable).length === 0 &&
  (meant.at(-1)?.unread.length ?? 0) === 0

/** Several files as one. Apps that several name are counted once for each. */
function summed(all: readonly Looked[]): Looked {
  const [first] = all
  if (!first) throw new Error('nothing to sum up')
  const previews = all.flatMap(({ preview }) => preview ?? [])
  const days = previews
    .flatMap(({ firstDay, lastDay }) => [firstDay, lastDay].filter((day) => day !== null))
    .sort()
  const preview: Preview = {
    ...{ records: previews.reduce((sum, { records }) => sum + records, 0), refused: 0, firstRefusal: null },
    ...{ firstDay: days[0] ?? null, lastDay: days.at(-1) ?? null },
    ...{ apps: Math.max(...previews.map(({ apps }) => apps)), unreadable: {}, notes: [] },
  }
  return { ...first, file: `${first.file} and ${files(all.length - 1)} like it`, preview }
}

const mostShownNotes = 5

function linesOf({ file, meant, several, why, preview }: Looked): string[] {
  const name = withoutControls(file)
  if (several.length > 0)
    return [
      `${name}: could be ${several.map(({ kind, of }) => `${kind} (${of})`).join(' or ')}; say which: rivalscope import KIND ${name}`,
    ]
  const main = meant.at(-1)
  if (!main || !preview) return [`${name}: not recognised: ${withoutControls(why ?? '')}`]
  const { records, refused, firstRefusal, firstDay, lastDay, apps, unreadable, notes } = preview
  const days = firstDay === null ? '' : firstDay === lastDay ? `, ${firstDay}` : `, ${firstDay} to ${lastDay}`
  const kinds = meant.map(({ kind }) => kind).join(' and ')
  const named = apps === 0 ? '' : ` of ${count(apps)} ${apps === 1 ? 'app' : 'apps'}`
  const lines = [
    `${name}: ${kinds}: ${main.of}, ${count(records)} ${records === 1 ? 'record' : 'records'}${named}${days}`,
  ]
  if (main.unread.length > 0)
    lines.push(
      `  not read: ${withoutControls(main.unread.slice(0, 12).join(', '))}${main.unread.length > 12 ? ' …' : ''}`,
    )
  const fields = Object.entries(unreadable).map(([field, of]) => `${field} of ${count(of)}`)
  if (fields.length > 0) lines.push(`  cannot be read: ${withoutControls(fields.join(', '))}`)
  for (const note of notes.slice(0, mostShownNotes)) lines.push(`  ${withoutControls(note)}`)
  if (firstRefusal)
    lines.push(
      `  refused: ${refused === records ? 'all' : `${count(refused)} of ${count(records)}`}; first ${withoutControls(`${firstRefusal.position}: ${firstRefusal.reason}`).slice(0, 400)}`,
    )
  return lines
}

const count = (number: number) => number.toLocaleString('en')
