import type { Block, Cell, Tone } from '../blocks.ts'
import { cellOf, isObject, type Json } from '../cells.ts'
import { drawBar } from '../drawings/sparkline.ts'
import { noValueMarks } from '../marks.ts'
import { minute, number, seconds } from '../numbers.ts'

export const title = (textBlock: string, aside = ''): Block => ({ kind: 'title', text: textBlock, aside })
export const section = (textBlock: string, aside = ''): Block => ({ kind: 'section', text: textBlock, aside })
export const textBlock = (textCell: string, tone?: Tone): Block => ({
  kind: 'text',
  text: textCell,
  ...(tone ? { tone } : {}),
})
export const quietBlock = (...parts: (string | false | null | undefined)[]): Block =>
  textBlock(parts.filter(Boolean).join(', '), 'quiet')

interface Pair {
  label: string
  cells: Cell[]
}

/** Labels with values, in order; empty values are left out. */
export function pairBlocks(
  entries: readonly (readonly [label: string, value: Json, name?: string])[],
): Block[] {
  const shown = pairsOf(entries)
  return shown.length > 0 ? [{ kind: 'pairs', pairs: shown }] : []
}

const pairsOf = (entries: Parameters<typeof pairBlocks>[0]): Pair[] =>
  entries
    .map(([label, value, name]) => ({ label, cells: cellsOf(value, name) }))
    .filter(({ cells }) => cells.some((cell) => cell.text !== ''))

function cellsOf(value: Json, name: string | undefined): Cell[] {
  if (Array.isArray(value) && value.every(isCell)) return value
  return isCell(value) ? [value] : [cellOf(value, name)]
}

const isCell = (value: Json): value is Cell =>
  isObject(value) && typeof value.text === 'string' && !('kind' in value)

export const textCell = (said: string, tone?: Tone): Cell => ({ text: said, ...(tone ? { tone } : {}) })

/**
 * The same, with all values that were not measured for the same reason on one line: a record known from charts alone has
 * many.
 */
export function factPairs(entries: readonly (readonly [label: string, value: Json, name?: string])[]): Block[] {
  const missing = new Map<string, string[]>()
  const there = entries.filter(([label, value]) => {
    const reason = isObject(value) && value.state === 'not-measured' ? String(value.reason) : undefined
    if (reason) missing.set(reason, [...(missing.get(reason) ?? []), label])
    return !reason
  })
  const lines = [...missing].map(
    ([reason, labels]) =>
      [
        noValueMarks[reason]?.mark ?? '?',
        textCell(`${labels.join(', ')}: ${noValueMarks[reason]?.words ?? reason}`, 'warning'),
      ] as const,
  )
  return pairBlocks([...there, ...lines])
}

/** A section with its content, or nothing where there is none. */
export function optionalSection(name: string, aside: string | number, content: readonly Block[]): Block[] {
  return content.length > 0 ? [section(name, String(aside)), ...content] : []
}

/** Which surface the ranks are of, with what it cannot show, and whether it lists the app at all. */
export const surfaceBlocks = (
  { label, shows }: { label: string; shows: string },
  notListed: { term: string; depth: number; observedAt: string } | null,
): Block[] => [
  quietBlock(`${label}: ${shows}`),
  ...(notListed
    ? [
        textBlock(
          `This search does not list the app: not among ${notListed.depth} results for its own name on ${notListed.observedAt.slice(0, 10)}, though the store has it.`,
        ),
      ]
    : []),
]

export interface TableColumn<Row> {
  title: string
  cell: (row: Row, index: number) => Cell | Json
  /** The field it shows, which decides between shares and counts. */
  name?: string
  stays?: number
  drawing?: true
  /** Sentences, which are wrapped rather than cut. */
  wraps?: true
}

/** A table of anything; none without rows. */
export function table<Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[]): Block[] {
  if (rows.length === 0) return []
  return [
    {
      kind: 'table',
      columns: columns.map(({ title, stays, drawing, wraps }) => ({
        title,
        ...(stays === undefined ? {} : { stays }),
        ...(drawing ? { drawing } : {}),
        ...(wraps ? { wraps } : {}),
      })),
      rows: rows.map((row, index) =>
        columns.map(({ cell, name }) => {
          const value = cell(row, index)
          return isCell(value) ? value : cellOf(value, name)
        }),
      ),
    },
  ]
}

/** A number as a bar relative to a total. */
export const barCell = (value: number, whole = 100, width = 10): Cell => ({
  text: drawBar(value, whole, width),
  ours: true,
  drawing: true,
})

/** A score of 100, drawn; nothing where it was not measured. */
export function scoreBar(score: { state: string; value?: number }, width = 10): Cell {
  return score.state === 'estimated' && score.value !== undefined
    ? barCell(score.value, 100, width)
    : { text: '' }
}

/** Storefront an app's name was read from; marked where it is another than the one asked. */
export const nameStorefrontCell = (named: string | null, country: string): Cell =>
  textCell(named ?? '', named === country ? undefined : 'warning')

type Total = { value: number; relation: string }

export const isTotal = (value: Json): value is Total => isObject(value) && 'relation' in value

/** The number of matches, and how many of them are shown where that is fewer. */
export const matchCountTitle = (total: Total, shown: number, one: string): Block =>
  title(found(total, one), shown > 0 && shown < total.value ? `${shown} shown` : '')

const found = ({ value, relation }: Total, one: string) =>
  `${number(value)}${relation === 'at-least' ? ' or more' : ''} ${value === 1 || one === 'found' ? one : `${one}s`}`

export interface Note {
  message: string
  since: string | null
}

/** Notes on what an answer does not cover. */
export const coverageLines = ({ notes }: { notes: readonly Note[] }): Block[] =>
  notes.map(({ message, since }) =>
    textBlock(`${message}${since ? ` Since ${since.slice(0, 10)}.` : ''}`, since ? 'warning' : 'quiet'),
  )

interface App {
  storeId: string
  name: string | null
  developer?: string | null
}

export const appNameOf = ({ name, storeId }: App) => name ?? `app ${storeId}`

/** The name of an app, with the storefront before it where the name comes from another one than the one asked for. */
export const nameWithStorefront = (app: App & { namedIn: string | null }, country: string) =>
  app.namedIn === null || app.namedIn === country ? appNameOf(app) : `(in ${app.namedIn}) ${appNameOf(app)}`

/** The app an answer is about. */
export const appTitle = (app: App, ...more: (string | null | undefined)[]): Block =>
  title(appNameOf(app), [app.storeId, app.developer, ...more].filter(Boolean).join(', '))

/** Other storefronts named at most. */
const namedStorefronts = 12

/** Other storefronts with a record of the app; their evidence is not part of the answer. */
export function otherStorefrontBlocks({ alsoIn }: { alsoIn: readonly string[] }): Block[] {
  if (alsoIn.length === 0) return []
  const more = alsoIn.length > namedStorefronts ? ` and ${alsoIn.length - namedStorefronts} more` : ''
  return [quietBlock(`Also stored for ${alsoIn.slice(0, namedStorefronts).join(', ')}${more}: see --country.`)]
}

/** The language that was asked for, where another than the default was, and the others that are known. */
export function localizationBlocks({ localizations, localization }: Localized): Block[] {
  const { known } = localizations
  const others = known.filter((code) => code !== localization?.language)
  const hint = others.length > 0 ? [quietBlock(`Known in ${others.join(', ')} as well: see --language.`)] : []
  if (!localization || localization.isDefault) return hint
  const { name, language, supported, state } = localization
  const said = {
    measured: `Texts in ${name} (${language})`,
    absent: `No listing in ${name}: asked for it, the store showed ${localizations.default}`,
    'not-measured': `Not measured in ${name} (${language})`,
  }[state]
  return [quietBlock(`${said}${supported ? '' : ', which the storefront does not support'}.`), ...hint]
}

/** Whether a reply says which languages of a listing are known. */
export const isLocalized = <Reply extends object>(reply: Reply): reply is Reply & Localized =>
  'localizations' in reply

interface Localized {
  localizations: { default: string; known: readonly string[] }
  localization?:
    | {
        language: string
        name: string
        isDefault: boolean
        supported: boolean
        state: 'measured' | 'absent' | 'not-measured'
      }
    | undefined
}

export interface WorkShown {
  status: string
  progress: { done: number; total: number | null; unit: string } | null
  attempts: number
  lastError: { at: string; code: string; message: string } | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  /** The expected remaining time, where known. */
  expectedSeconds?: number | null
}

const workTones: Record<string, Tone> = { succeeded: 'good', failed: 'bad', partial: 'warning' }

/** The state of work on one line, and its last error on another. */
export const workLines = (work: WorkShown, name: string): Block[] => [
  { kind: 'pairs', pairs: workPairs(work, name) },
]

export function workPairs(work: WorkShown, name: string): Pair[] {
  const { status, progress, attempts, lastError, createdAt, startedAt, finishedAt, expectedSeconds } = work
  const tone = workTones[status]
  const done =
    progress &&
    `${number(progress.done)}${progress.total === null ? '' : ` of ${number(progress.total)}`} ${progress.unit}`
  const when = finishedAt
    ? `ended ${minute(finishedAt)}`
    : startedAt
      ? `since ${minute(startedAt)}`
      : `asked for ${minute(createdAt)}`
  return pairsOf([
    [
      name,
      [
        textCell(status, tone),
        textCell(
          [
            done,
            when,
            expectedSeconds != null && `about ${seconds(expectedSeconds)} to go`,
            attempts > 1 && `${attempts} attempts`,
          ]
            .filter(Boolean)
            .join(', '),
        ),
      ],
    ],
    [
      '',
      lastError &&
        textCell(
          `${lastError.message} (${lastError.code}, ${minute(lastError.at)})`,
          status === 'succeeded' ? 'quiet' : 'warning',
        ),
    ],
  ])
}
