import type { ToolRank } from '../../domain/aso/pages/tool-ranks.ts'
import {
  aroundOf,
  formed,
  mappedValues,
  nameForm,
  unlessUnreadable,
} from '../../ingest/mapping/mapped-values.ts'
import { shown } from '../../ingest/mapping/mapping.ts'
import type { ParsedPayload, ReadingContext, Rejection } from '../../ingest/parsed-payload.ts'
import type { RawPayload } from '../../ingest/raw-payload.ts'
import { type Row, rowsOf, tableHeader } from '../../ingest/rows.ts'
import { statedTime } from '../../ingest/times.ts'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import { longestTerm, normaliseTerm, termRefusalOf } from '../../text/keyword-term.ts'
import { normalForm } from '../../text/normal-form.ts'
import { type Device, devices } from '../../vocabulary/devices.ts'
import { didYouMeanCountry } from '../../vocabulary/did-you-mean-country.ts'
import { deepestRank, longestToolName, type RankTool, rankTools } from '../../vocabulary/keyword-rank-tools.ts'
import { isStorefront } from '../../vocabulary/storefronts.ts'
import { storeIdIn } from './app-rows.ts'
import { dayColumns, yearOf } from './day-columns.ts'
import { rankAnswer } from './keyword-rank-answers.ts'
import {
  type Columns,
  columnsIn,
  isHeader,
  rankNames,
  refuseHeader,
  theTool,
  toolOfTable,
} from './keyword-rank-columns.ts'
import { NoRanks, type RankValues, rankFields, readRank } from './keyword-rank-values.ts'

/**
 * Ranks of keywords by day, as other tools export them: tables and lists with a row for each rank, tables with a column for each
 * day, and saved answers of their APIs. What a value such as 501 means is said by the tool, which the file shows or the operator
 * names, or by a mapping; otherwise its row is refused.
 */
export const keywordRanksFormat = {
  isMappable: true,
  names: rankNames,
  /** Recognises tables and lists of keywords with ranks of days, and answers of tools. */
  recognise({ layout, columns, records, document }: RankSample) {
    const [answer] = [document, ...records].flatMap((one) => rankAnswer(one) ?? [])
    const of = (title?: string) => ({
      kind: 'keyword-ranks' as const,
      of: title ? `ranks of keywords from ${title}` : 'ranks of keywords by day',
    })
    if (answer) return of(rankTools[answer.tool].title)
    const tool = toolOfTable(columns)
    if (tool) return of(rankTools[tool].title)
    const names = columns.length > 0 ? columns : Object.keys(Object(records[0]))
    const found = columnsIn(names)
    const isLong = found.rank !== undefined && found.day !== undefined
    return found.term !== undefined &&
      (isLong || dayColumns(names, { layout, country: null }, 'day').length > 0)
      ? of()
      : undefined
  },
  parse(payload: RawPayload, context: ReadingContext, from: number): ParsedPayload {
    const isTable = context.layout === 'csv'
    const document = context.layout === 'document' ? payload.document() : undefined
    const whole = rankAnswer(document)
    const { rows, rejected } = whole
      ? { rows: [{ position: '', record: document }], rejected: [] }
      : rowsOf(payload, context, from)
    const answers = whole ? [whole] : isTable ? [] : rows.map(({ record }) => rankAnswer(record))
    if (answers.some((one) => one) && answers.includes(undefined))
      throw new UnfitPayload(
        'the file holds answers of an API and other records: save each in a file of its own',
      )
    const header = isTable ? tableHeader(payload.bytes) : []
    if (isTable) refuseHeader(header, context)
    const name = theTool([toolOfTable(header), ...answers.map((one) => one?.tool)], context.preset)
    const tool = name && rankTools[name]
    const constants = { ...context.fallbacks, ...aroundOf(payload, context), ...context.constants }
    const ranks = new Ranks(context, constants, tool)
    for (const [index, row] of rows.entries()) {
      const answer = answers[index]
      if (answer) ranks.addAnswer(row, answer.ranks)
      else ranks.addRow(row)
    }
    if (isTable && !endsWithLine(payload.bytes)) ranks.refuseCutId()
    const ending = tool?.lastLine
    return ranks.payload(rejected.filter(({ record }) => !(ending && isLastLine(record, ending))))
  },
}

/** What is looked at to recognise a file. */
interface RankSample {
  layout: ReadingContext['layout']
  columns: readonly string[]
  records: readonly unknown[]
  document: unknown
}

const isLastLine = (record: unknown, text: string) =>
  Array.isArray(record) && record.length === 1 && String(record[0]).includes(text)

const endsWithLine = (bytes: Uint8Array) => [0x0a, 0x0d].includes(bytes.at(-1) ?? 0)

/** Everything of a rank but its day and place. */
type Subject = Omit<ToolRank, 'day' | 'rank' | 'depth'>

/** Where a rank stands: in a row, or in a column of one that is named after a day. */
interface Cell {
  row: Row
  column?: string
}

const positionOf = ({ row, column }: Cell) =>
  column === undefined ? row.position : `${row.position}, ${column}`

/** Ranks of one payload, so that a small table of columns does not fill the memory. */
const mostRanks = 500_000

interface Found {
  rank: ToolRank
  cell: Cell
  /** Milliseconds, where the file tells a time beside the day. */
  at: number | undefined
  isRefused?: true
}

interface Day {
  day: string
  at: number | undefined
}

/** Gathers the ranks of a file. What cannot be read is refused by itself, and so are different ranks of one day. */
class Ranks {
  readonly #context: ReadingContext
  readonly #constants: Record<string, string>
  readonly #tool: RankTool | undefined
  readonly #found = new Map<string, Found>()
  readonly #refused: Rejection[] = []
  readonly #none = new NoRanks()
  readonly #labels = new Set<string>()
  readonly #columns = new Map<string, { columns: Columns; days: [column: string, day: string][] }>()
  readonly #terms = new Map<string, string>()
  readonly #days = new Map<string, Day>()
  readonly #hasForms: boolean
  /** Ranks that are taken, or say that there is none. */
  #taken = 0
  #ofSeveral = 0

  constructor(context: ReadingContext, constants: Record<string, string>, tool: RankTool | undefined) {
    this.#context = context
    this.#constants = constants
    this.#tool = tool
    this.#hasForms = context.dates !== undefined || context.numbers !== undefined
  }

  addAnswer(row: Row, answers: readonly RankValues[]): void {
    const before = row.position === '' ? '' : `${row.position}, `
    for (const [index, values] of answers.entries()) {
      const one = { row: { position: `${before}rank ${index + 1}`, record: values } }
      this.#refuse(one, this.#add(one, { ...this.#constants, ...values }))
    }
  }

  addRow(row: Row): void {
    const { record } = row
    this.#refuse({ row }, typeof record === 'object' && record !== null ? this.#read(row, record) : 'no record')
  }

  /** @returns why the row is refused */
  #read(row: Row, record: object): string | undefined {
    const read = this.#hasForms ? unlessUnreadable(() => this.#valuesOf(record)) : this.#valuesOf(record)
    if (typeof read === 'string') return read
    const { days } = this.#columnsOf(record)
    if (read.rank !== undefined || days.length === 0) return this.#add({ row }, read)
    const subject = this.#subjectOf(read)
    if (typeof subject === 'string') return subject
    for (const [column, day] of days) {
      const rank = (record as Record<string, unknown>)[column]
      const cell: Cell = { row, column }
      this.#refuse(cell, this.#place(cell, subject, { day, at: undefined }, read, rank))
    }
    return undefined
  }

  #valuesOf(record: object): RankValues {
    const { fields, constants = {} } = this.#context
    const { columns } = this.#columnsOf(record)
    const values: RankValues = { ...this.#constants }
    if (fields)
      Object.assign(
        values,
        Object.fromEntries(mappedValues('keyword-ranks', record, fields, this.#context, constants)),
      )
    for (const field of rankFields) {
      const column = columns[field]
      if (column === undefined || constants[field] !== undefined) continue
      const cell = (record as Record<string, unknown>)[column]
      if (field === 'rank' || !isBlank(cell))
        values[field] = this.#hasForms ? formed(field, cell, this.#context, yearOf(this.#context)) : cell
    }
    return values
  }

  #columnsOf(record: object) {
    const names = Object.keys(record)
    const key = names.join('\n')
    const known = this.#columns.get(key) ?? {
      columns: columnsIn(names, this.#context.fields),
      days: dayColumns(names, this.#context, 'day'),
    }
    // Lists of hostile records could have columns of their own each.
    if (this.#columns.size < 1_000) this.#columns.set(key, known)
    return known
  }

  /** @returns why it is refused */
  #add(cell: Cell, values: RankValues): string | undefined {
    const subject = this.#subjectOf(values)
    if (typeof subject === 'string') return subject
    const day = this.#dayOf(textOf(values.day))
    if (typeof day === 'string') return day
    return values.rank === undefined ? 'no rank' : this.#place(cell, subject, day, values, values.rank)
  }

  #subjectOf(values: RankValues): Subject | string {
    if (/android|google|play/i.test(textOf(values.platform)))
      return `of ${textOf(values.platform).slice(0, 40)}, not of the App Store`
    const country = textOf(values.country ?? this.#context.country).toLowerCase()
    if (!country) return 'no country: name it with --country or in a mapping'
    if (!isStorefront(country))
      return `"${country.slice(0, 60)}" is not an App Store country${didYouMeanCountry(country)}`
    const term = this.#termOf(textOf(values.term), country)
    const refused = termRefusalOf(term)
    if (refused) return refused === 'too-long' ? `a keyword of over ${longestTerm} letters` : 'no keyword'
    const storeId = this.#appOf(values.storeId)
    if (typeof storeId !== 'string') return storeId.reason
    const device = deviceOf(textOf(values.device))
    if (device === undefined) return `"${textOf(values.device).slice(0, 60)}" is neither iphone nor ipad`
    const tool = normalForm(textOf(values.tool), 'NFKC')
    if (tool.length > longestToolName || /\p{C}/u.test(tool))
      return `the name of the tool has over ${longestToolName} letters, or some that cannot be shown`
    return { storeId, country, term, tool: tool || (this.#tool?.title ?? ''), device }
  }

  #termOf(text: string, country: string): string {
    const key = `${country} ${text}`
    const known = this.#terms.get(key) ?? normaliseTerm(text, country)
    this.#terms.set(key, known)
    return known
  }

  /** The store id. A name of an app is a label: `--app` says which app it is, where the file has one label alone. */
  #appOf(value: unknown): string | { reason: string } {
    const stated = storeIdIn(value)
    if (stated) return stated
    const label = textOf(value)
    const named = storeIdIn(this.#constants.storeId)
    const help = 'name the app with --app, or in a mapping'
    if (!named)
      return { reason: label ? `no app id in "${label.slice(0, 100)}": ${help}` : `no app id: ${help}` }
    this.#labels.add(label)
    if (this.#labels.size === 1) return named
    const some = [...this.#labels].slice(0, 2).map((one) => `"${one.slice(0, 60)}"`)
    return {
      reason: `the file names several apps, such as ${some.join(' and ')}, and --app one: import them one by one`,
    }
  }

  #dayOf(text: string): Day | string {
    const known = this.#days.get(text)
    if (known) return known
    const time = statedTime(text)
    if (!time)
      return text
        ? `impossible date "${text.slice(0, 100)}"${nameForm('day', text)}`
        : 'no date: give --observed-at, a date in the file name, or a mapping'
    const read = { day: text.slice(0, 10), at: time.day ? undefined : time.at.getTime() }
    this.#days.set(text, read)
    return read
  }

  /** @returns why it is refused */
  #place(
    cell: Cell,
    subject: Subject,
    { day, at }: Day,
    values: RankValues,
    rankCell: unknown,
  ): string | undefined {
    const requested = Number(textOf(values.requested))
    const read = readRank(rankCell, {
      tool: this.#tool,
      depth: requested >= 1 && requested <= deepestRank ? Math.floor(requested) : undefined,
      unranked: textOf(values.unranked) || undefined,
    })
    if (typeof read === 'string') return read
    this.#taken++
    if (typeof read !== 'number') this.#none.add(read)
    const [rank, depth] = typeof read === 'number' ? [read, null] : [null, read.depth]
    if (rank === null && depth === null) return undefined
    const { storeId, country, device, tool, term } = subject
    const key = `${day} ${storeId} ${country} ${device} ${tool}\n${term}`
    const found: Found = { rank: { ...subject, day, rank, depth }, cell, at }
    if (this.#found.size >= mostRanks)
      throw new UnfitPayload(`over ${mostRanks.toLocaleString('en')} ranks: save them in several files`)
    const known = this.#found.get(key)
    if (known) this.#meet(key, known, found)
    else this.#found.set(key, found)
    return undefined
  }

  /** Of two ranks of one day the later one counts where both tell a time; otherwise nobody knows which. */
  #meet(key: string, known: Found, found: Found): void {
    const isSame = known.rank.rank === found.rank.rank && known.rank.depth === found.rank.depth
    if (isSame && !known.isRefused) return
    if (!known.isRefused && known.at !== undefined && found.at !== undefined && known.at !== found.at) {
      this.#ofSeveral++
      if (found.at > known.at) this.#found.set(key, found)
      return
    }
    const both = [known, found].map(
      ({ rank: { rank, depth }, cell }) => `${rank ?? `>${depth}`} (${positionOf(cell)})`,
    )
    const refused = known.isRefused ? [found] : [known, found]
    for (const { cell } of refused)
      this.#refuse(cell, `two ranks of one day, ${both.join(' and ')}: leave one of them out`)
    this.#taken -= refused.length
    this.#found.set(key, { ...known, isRefused: true })
  }

  /** Refuses the last row of a table that breaks off within the id of its app: the beginning of an id is another app. */
  refuseCutId(): void {
    const found = [...this.#found]
    const [key, last] = found.at(-1) ?? []
    if (key === undefined || !last) return
    const { storeId } = last.rank
    const isBeginning = found.some(
      ([, { rank }]) => rank.storeId !== storeId && rank.storeId.startsWith(storeId),
    )
    if (!isBeginning || last.isRefused) return
    this.#found.delete(key)
    this.#taken--
    this.#refuse(last.cell, `the file ends within the app id ${storeId}`)
  }

  /** @param reason undefined where it is not refused */
  #refuse(cell: Cell, reason: string | undefined): void {
    if (reason !== undefined)
      this.#refused.push({ position: positionOf(cell), reason, record: cell.row.record })
  }

  /** @param broken rows that could not be read as such @throws UnfitPayload where another table begins among the rows */
  payload(broken: readonly Rejection[]): ParsedPayload {
    const rejected = [...broken, ...this.#refused]
    const header = rejected.find(({ record }) => isHeader(Object.values(Object(record))))
    if (header && this.#context.layout === 'csv')
      throw new UnfitPayload(`another table begins at ${header.position}: save each in a file of its own`)
    const toolRanks = [...this.#found.values()].flatMap(({ rank, isRefused }) => (isRefused ? [] : [rank]))
    const days = this.#ofSeveral === 1 ? '1 rank is' : `${this.#ofSeveral.toLocaleString('en')} ranks are`
    return {
      source: 'keyword-rank-file',
      ...madeOn(toolRanks),
      sightings: [],
      charts: [],
      toolRanks,
      rejected,
      notes: [
        ...this.#none.inWords(this.#tool),
        ...(this.#ofSeveral === 0
          ? []
          : [`${days} of a day that tells several at their times: the last one counts`]),
      ],
      records: this.#taken + rejected.length,
    }
  }
}

/** The time of a payload of ranks: its newest day. */
export function madeOn(ranks: readonly ToolRank[]): { madeAt?: Date } {
  const newest = ranks.reduce((one, { day }) => (day > one ? day : one), '')
  return newest === '' ? {} : { madeAt: new Date(newest) }
}

const isBlank = (value: unknown) => value === undefined || value === null || value === ''
const textOf = (value: unknown) => (typeof value === 'string' ? value : shown(value ?? '')).trim()

const otherDevices = new Map<string, Device | ''>([
  ['phone', 'iphone'],
  ['handheld', 'iphone'],
  ['tablet', 'ipad'],
  ['ios', ''],
])

/** Undefined for what is none; empty where it is not told. */
function deviceOf(text: string): Device | '' | undefined {
  const name = text.toLowerCase()
  return name === '' ? '' : (devices.find((device) => device === name) ?? otherDevices.get(name))
}
