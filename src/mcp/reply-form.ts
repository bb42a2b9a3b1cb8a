import { refuseInput } from '../api/problem.ts'
import type { ListOfReply, Operation } from '../contract/operation.ts'
import { type ReplyPaths, replyPathsOf, replyValueAt } from '../contract/reply-paths.ts'
import { searchVolumeHint } from '../vocabulary/search-volume.ts'
import { withinBytes } from './reply-size.ts'
import { briefList, type Cuts, RecordedCuts, shortFormOf, unlessEmpty } from './short-form.ts'

/** The argument that selects the fields of a reply. */
export const fieldsArgument = 'fields'
/** The value that selects all fields. */
const everything = '*'

type Reply = Readonly<Record<string, unknown>>

/** The form of the replies of one tool: only the summary columns, or the requested `fields`. */
export interface ReplyForm {
  /**
   * The fields of a call; undefined when left out.
   * @throws Problem `invalid-request` naming each unknown field
   */
  fieldsOf(given: unknown): Fields | undefined
  /** @param given the other arguments: `limit` sets the length of the list, some point to a part of the reply */
  show(reply: Reply, fields: Fields | undefined, given: Readonly<Record<string, unknown>>): Reply
}

type Fields = readonly string[]

/** Whether an operation takes `fields`: those that read, or whose reply is a list. */
export const takesFields = ({ reply, ending, list }: Operation): boolean =>
  reply !== undefined && (ending === 'read' || list !== undefined)

/** Undefined for operations without a reply. */
export function replyForm(operation: Operation): ReplyForm | undefined {
  const { reply: shape, list, focus, leavesOut = [] } = operation
  if (!shape) return undefined
  const whole = replyPathsOf(shape)
  const item = list && whole.at([list.at])
  const taken = { ...operation.query?.shape, ...operation.body?.shape }
  const paged = 'limit' in taken && 'cursor' in taken
  const shown = new Map(columnNamesOf(list?.summaryColumns ?? []).map(({ name, path }) => [name, path]))
  return {
    fieldsOf: (given) => (given === undefined ? undefined : knownFields(given, whole, item, shown)),
    show(reply, fields, given) {
      if (fields?.includes(everything)) return withinBytes(reply, { at: list?.at, paged })
      const focused = focus && !fields && whole.at([focus.at])
      if (focused && focus.givenBy.some((name) => (given[name] ?? null) !== null))
        return withinBytes(listSummaryOf(reply, focus, focused, false), { at: focus.at, paged: false })
      const ofList =
        list &&
        item &&
        (fields
          ? chosenOf(reply, list, item, fields, 'limit' in given)
          : listSummaryOf(reply, list, item, 'limit' in given))
      const shown =
        ofList ??
        (fields ? { ...headOf(reply), ...picked(reply, columnNamesOf(fields)) } : summaryOf(reply, leavesOut))
      return withinBytes(shown, { at: list?.at, paged })
    },
  }
}

/** Today, and how old the evidence is: shown with any fields. */
const headOf = ({ asOf }: Reply): Reply => (asOf === undefined ? {} : { asOf })

/** Limits on long values, in a reply and in each item of its list. */
const inReply = { letters: 300, entries: 10 }
const inItem = { letters: 120, entries: 5, days: true } as const
/** Items shown without `limit` and `fields`, where a list does not say another number. */
const mostItems = 50

function summaryOf(reply: Reply, leavesOut: readonly string[]): Reply {
  const cuts = new RecordedCuts(leavesOut)
  return cuts.namedIn(shortFormOf(withoutAll(reply, leavesOut), { ...inReply, tell: cuts.tell }) as Reply)
}

/** The summary columns of every item, and the rest of the reply. */
function listSummaryOf(
  reply: Reply,
  { at, summaryColumns, leavesOut = [], atAGlance = mostItems }: ListOfReply,
  item: ReplyPaths,
  wholeList: boolean,
): Reply {
  const cuts = new RecordedCuts([...leavesOut, ...item.names.filter((name) => !summaryColumns.includes(name))])
  const { tell } = cuts
  const { [at]: list, ...all } = reply
  const others = withoutAll(all, leavesOut)
  const items = list as readonly unknown[]
  // A field that is only there where it says something, and says nothing here, is no column of nulls.
  const isIn = ([name = '']: readonly string[]) =>
    items.length === 0 || items.some((one) => name in Object(one))
  const columns = columnNamesOf(summaryColumns).filter(({ steps }) => isIn(steps))
  const { empty, others: rows } = unlessEmpty(items)
  const shown = wholeList ? rows : briefList(rows, { ...inItem, entries: atAGlance, tell }, at)
  return cuts.namedIn({
    ...(shortFormOf(others, { ...inReply, tell }) as Reply),
    [at]: [...empty, ...shown.map((one) => gathered(picked(one, columns, { ...inItem, tell })))],
  })
}

const withoutAll = (reply: Reply, paths: readonly string[]): Reply =>
  paths.reduce<unknown>((part, path) => without(part, path.split('.')), reply) as Reply

/** A value without what is at a path, in every entry of lists. */
function without(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, path))
  if (typeof value !== 'object' || value === null) return value
  const [name = '', ...steps] = path
  const { [name]: part, ...others } = value as Reply
  return steps.length === 0 || part === undefined ? others : { ...value, [name]: without(part, steps) }
}

/** What of a reply is shown beside the fields asked for: which of the items these are, and how far they can be relied on. */
const alwaysShown = ['asOf', 'total', 'nextCursor', 'collecting', 'trouble']

/**
 * The requested fields of every item and of the reply around the items; nothing of them is cut. Where only fields around the items are
 * named, the items are shown at a glance.
 */
function chosenOf(
  reply: Reply,
  list: ListOfReply,
  item: ReplyPaths,
  fields: Fields,
  wholeList: boolean,
): Reply {
  const { at } = list
  const ofItem = fields.filter((field) => item.at(field.split('.')))
  const around = fields.filter((field) => !ofItem.includes(field) && field !== at)
  const { [at]: items, ...others } = reply
  const kept = Object.entries(others).filter(
    ([name, value]) =>
      alwaysShown.includes(name) &&
      !(Array.isArray(value) && value.length === 0) &&
      !(name === 'collecting' && value === null),
  )
  const head = { ...Object.fromEntries(kept), ...picked(reply, columnNamesOf(around)) }
  if (fields.includes(at)) return { ...head, [at]: items }
  if (ofItem.length === 0) return { ...head, ...listSummaryOf({ [at]: items }, list, item, wholeList) }
  const columns = columnNamesOf(ofItem)
  const { empty, others: rows } = unlessEmpty((items as readonly unknown[]).map((one) => picked(one, columns)))
  return { ...head, [at]: [...empty, ...rows] }
}

/** The property of an item that lists its unmeasured columns. */
const notMeasured = 'notMeasured'

/** Groups the unmeasured columns of an item by reason, instead of repeating the reason for each. */
function gathered(item: Reply): Reply {
  const unknown = Object.entries(item).filter(([, value]) => isNotMeasured(value)) as [
    string,
    { reason: string },
  ][]
  if (unknown.length === 0) return item
  const known = Object.entries(item).filter(([, value]) => !isNotMeasured(value))
  const byReason = Object.groupBy(unknown, ([, { reason }]) => reason)
  const names = Object.entries(byReason).map(([reason, columns = []]) => [
    reason,
    columns.map(([name]) => name),
  ])
  return { ...Object.fromEntries(known), [notMeasured]: Object.fromEntries(names) }
}

function isNotMeasured(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('state' in value) || !('reason' in value)) return false
  return value.state === 'not-measured' && Object.keys(value).length === 2
}

/** Values by column; null where a value has nothing at the path. */
function picked(value: unknown, columns: readonly Column[], cuts?: Cuts): Reply {
  return Object.fromEntries(
    columns.map(({ name, path, steps }) => [name, shortFormOf(replyValueAt(value, steps) ?? null, cuts, path)]),
  )
}

/** @param shown paths by the names that summary columns are shown under, which are taken too */
function knownFields(
  given: unknown,
  whole: ReplyPaths,
  item: ReplyPaths | undefined,
  shown: ReadonlyMap<string, string>,
): Fields {
  if (!isFields(given))
    return refuseInput([{ pointer: `/${fieldsArgument}`, message: 'must be a list of field names, or ["*"]' }])
  const errors = given.flatMap((field, index) => {
    const start = field.slice(0, longestFieldName)
    const steps = start.split('.')
    if (field === everything || shown.has(field)) return []
    if (start === field && (item?.at(steps) || whole.at(steps))) return []
    const message = `"${start.slice(0, 100)}" is not known; known are ${knownNear(steps, item ?? whole).join(', ')}${searchVolumeHint(start)}`
    return [{ pointer: `/${fieldsArgument}/${index}`, message }]
  })
  if (errors.length > 0) refuseInput(errors)
  return given.map((field) => (item?.at([field]) || whole.at([field]) ? field : (shown.get(field) ?? field)))
}

/** Longest field name. Input is limited only by the size of a body, and is cut to this length before it is split. */
const longestFieldName = 200

const isFields = (given: unknown): given is Fields =>
  Array.isArray(given) &&
  given.length > 0 &&
  given.length <= 100 &&
  given.every((field) => typeof field === 'string')

/** The field names below the deepest existing part of a path. */
function knownNear(steps: readonly string[], paths: ReplyPaths): string[] {
  const place: string[] = []
  let below = paths
  for (const step of steps) {
    const next = below.at([step])
    if (!next || next.names.length === 0) break
    place.push(step)
    below = next
  }
  return below.names.map((name) => [...place, name].join('.'))
}

/** A path into an item, and the short name its value is shown under. */
interface Column {
  name: string
  path: string
  steps: readonly string[]
}

/** Names each path by its last word, or by more of its words where that name is ambiguous; in the order of the paths. */
export function columnNamesOf(paths: readonly string[]): Column[] {
  const names = new Map<string, string>()
  const shortestFirst = [...paths].sort((one, other) => one.split('.').length - other.split('.').length)
  for (const path of shortestFirst) {
    const words = path.split('.').filter((word) => word !== 'value')
    const candidates = words.map((_, index) => camelCase(words.slice(words.length - 1 - index)))
    names.set(path, candidates.find((name) => ![...names.values()].includes(name)) ?? path)
  }
  return paths.map((path) => ({ name: names.get(path) ?? path, path, steps: path.split('.') }))
}

function camelCase([first = '', ...others]: readonly string[]): string {
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
