import { contract } from '../../contract/contract.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Block } from './blocks.ts'
import { at, isObject, type Json, type JsonObject } from './cells.ts'
import { layOut } from './layout.ts'
import { columnsOf, recordBlocks, sourceLine, troubleLines } from './record.ts'
import type { Style } from './style.ts'

export type ToolName = keyof typeof contract

export interface Presentation extends Style {
  /** Dotted paths to show instead of what is worth a glance. */
  fields?: readonly string[]
}

/** A reply as people read it, without a line feed at its end. */
export function present(tool: ToolName, reply: Json, { fields, ...style }: Presentation): string {
  const { list }: Operation = contract[tool]
  if (!isObject(reply)) return 'Done.'
  const items = list ? at(reply, list.at) : undefined
  const blocks =
    list && Array.isArray(items)
      ? listBlocks(reply, items, list.at, fields ?? list.glance)
      : fields
        ? recordBlocks(Object.fromEntries(fields.map((path) => [path, at(reply, path)])))
        : recordBlocks(reply)
  return layOut([...troubleLines(reply.trouble), ...blocks, ...sourceLine(reply.evidence)], style)
}

function listBlocks(
  reply: JsonObject,
  items: readonly Json[],
  listName: string,
  paths: readonly string[],
): Block[] {
  const { [listName]: _items, nextCursor: _next, ...rest } = reply
  return [
    ...recordBlocks(rest),
    { kind: 'section', text: listName, aside: String(items.length) },
    columnsOf(items, paths),
  ]
}
