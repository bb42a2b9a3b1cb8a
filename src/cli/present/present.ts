import { contract, type Tool } from '../../contract/contract.ts'
import type { ListOfReply, Operation } from '../../contract/operation.ts'
import { replyValueAt } from '../../contract/reply-paths.ts'
import type { Block, Cell, Column, TableBlock } from './blocks.ts'
import { cellOf, isObject, type Json, type JsonObject } from './cells.ts'
import { defaultColumn } from './default-columns.ts'
import { type BlocksAroundList, blocksAroundListOf } from './default-view.ts'
import { layOut } from './layout.ts'
import { columnTitle, recordBlocks, sourceIssueLines, sourceLine } from './record.ts'
import type { Style } from './style.ts'
import type { TablePlan } from './table.ts'
import type { ColumnView, View } from './views/view.ts'
import { views } from './views/views.ts'

export interface Presentation extends Style {
  /** Dotted paths to show instead of the summary columns; relative to each item, where a reply is about a list. */
  fields?: readonly string[] | undefined
}

/**
 * A reply as text for people, without a line feed at its end. It has to match the contract's shape for the tool; control
 * characters in evidence are removed.
 */
export function present(tool: Tool, reply: Json, { fields, ...style }: Presentation): string {
  const { view, list } = known(tool)
  const record = isObject(reply) ? reply : {}
  const items = list && itemsOf(record, list)
  const blocks = items
    ? fields
      ? tableWith(view, list, items, fields)
      : listBlocks(tool, view, list, record, items, style)
    : fields
      ? recordBlocks(Object.fromEntries(fields.map((path) => [path, replyValueAt(record, path.split('.'))])))
      : around(tool, view, record).head
  return layOut(
    [...sourceIssueLines(record.trouble), ...blocks, ...sourceLine(record.evidence), ...asOfLine(record.asOf)],
    style,
  )
}

/** How old the evidence is, where it has a time. */
function asOfLine(asOf: Json | undefined): Block[] {
  if (!isObject(asOf) || typeof asOf.newestEvidenceAt !== 'string') return []
  const late =
    asOf.state === 'due' || asOf.state === 'late'
      ? `, ${asOf.state} since ${String(asOf.since).slice(0, 10)}`
      : ''
  const text = `Newest evidence ${asOf.newestEvidenceAt.slice(0, 10)}${late}; today is ${String(asOf.today)}.`
  return [{ kind: 'text', text, tone: 'quiet' }]
}

/** Of two pages, the `asOf` with the newer evidence: the list is as new as that. */
function newerAsOf(one: Json, other: Json | undefined): Json {
  const at = (asOf: Json | undefined) => (isObject(asOf) ? String(asOf.newestEvidenceAt ?? '') : '')
  return isObject(other) && at(other) >= at(one) ? other : one
}

/** The pages of one list, one after the other: one head, one row of titles, columns under each other throughout. */
export interface Pages {
  /** The text of the next page, without a line feed at its end. All pages but the first are rows only. */
  next(reply: Json): string
}

/** Lays out the pages of a list as they arrive. What a reply has besides its list is taken from the first page. */
export function presentPages(tool: Tool, { fields, ...style }: Presentation): Pages {
  const { view, list } = known(tool)
  let plan: TablePlan | undefined
  let newest: Json = null
  const explained = new Set<string>()
  return {
    next(reply) {
      const record = isObject(reply) ? reply : {}
      if (!list) return present(tool, reply, { fields, ...style })
      const items = itemsOf(record, list)
      const before = plan
        ? []
        : [...sourceIssueLines(record.trouble), ...(fields ? [] : around(tool, view, record).head)]
      const rows = items.length === 0 && !plan ? emptiness(view, record) : tableWith(view, list, items, fields)
      newest = newerAsOf(newest, record.asOf)
      const after = record.nextCursor ? [] : asOfLine(newest)
      return layOut([...before, ...rows, ...after], style, {
        ...(plan ? { plan } : {}),
        explained,
        keep: (made) => {
          plan ??= made
        },
      })
    },
  }
}

type AnyView = View<JsonObject, Json>

function known(tool: Tool): { view: AnyView; list: ListOfReply | undefined } {
  const { list }: Operation = contract[tool]
  // Each view takes the reply of its own tool, which the type system cannot know here.
  return { view: (views[tool] ?? {}) as unknown as AnyView, list }
}

/** A view with a head of its own shows everything around its list itself. */
function around(tool: Tool, view: AnyView, reply: JsonObject): BlocksAroundList {
  if (view.head) return { head: view.head(reply), foot: view.foot?.(reply) ?? [] }
  const usual = blocksAroundListOf(tool, contract[tool], reply, view.one)
  return view.foot ? { ...usual, foot: view.foot(reply) } : usual
}

/** @throws where the reply has no list at the expected place: an empty table would say that nothing was found */
function itemsOf(reply: JsonObject, list: ListOfReply): readonly Json[] {
  const items = reply[list.at]
  if (!Array.isArray(items) || !items.every(isObject)) throw new TypeError(`no items at ${list.at}`)
  return items
}

function listBlocks(
  tool: Tool,
  view: AnyView,
  list: ListOfReply,
  reply: JsonObject,
  items: readonly Json[],
  { drawings }: Style,
): Block[] {
  const { head, foot } = around(tool, view, reply)
  if (items.length === 0) return [...head, ...emptiness(view, reply), ...foot]
  const shown = drawings && view.lastOnScreen ? items.slice(-view.lastOnScreen) : items
  const aside =
    shown.length < items.length ? `the last ${shown.length} of ${items.length}` : String(items.length)
  return [
    ...head,
    ...(view.items ? [{ kind: 'section', text: view.items, aside } as const] : []),
    ...tableWith(view, list, shown),
    ...foot,
  ]
}

const emptiness = (view: AnyView, reply: JsonObject): Block[] => [
  { kind: 'text', text: view.empty?.(reply) ?? 'Nothing found.', tone: 'quiet' },
]

interface NamedColumn extends ColumnView<Json> {
  path: string
}

/** The columns asked for by name, else those of the contract and of the view. */
function tableWith(
  view: AnyView,
  list: ListOfReply,
  items: readonly Json[],
  fields?: readonly string[],
): TableBlock[] {
  const own = view.columns ?? {}
  const paths = fields ?? [...new Set([...list.summaryColumns, ...Object.keys(own)])]
  const all = paths
    .map((path, place): NamedColumn => ({ path, ...defaultColumn(path, place), ...own[path] }))
    .filter(({ hidden }) => fields || !hidden)
  const columns = fields ? all : inOrder(all)
  return [
    {
      kind: 'table',
      columns: columns.map(
        ({ path, title, stays, drawing, wraps }): Column => ({
          title: title ?? columnTitle(path),
          ...(stays === undefined || fields ? {} : { stays }),
          ...(drawing ? { drawing } : {}),
          ...(wraps ? { wraps } : {}),
        }),
      ),
      rows: items.map((item, index) =>
        columns.map(
          ({ path, cell }): Cell =>
            cell?.(item, index, items) ?? cellOf(replyValueAt(item, path.split('.')), path.split('.').at(-1)),
        ),
      ),
    },
  ]
}

/** Columns that name a preceding column are placed after it. */
function inOrder(columns: readonly NamedColumn[]): NamedColumn[] {
  const ordered = columns.filter(({ after }) => after === undefined)
  for (const column of columns)
    if (column.after !== undefined)
      ordered.splice(ordered.findIndex(({ path }) => path === column.after) + 1, 0, column)
  return ordered
}
