import { hash } from 'node:crypto'
import {
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  RawNode,
} from 'kysely'
import type { ClientBase } from 'pg'
import type { Database } from './database.ts'

/** Ends the text of a statement that is to be prepared. */
const mark = ' /* prepared */'

const marking: KyselyPlugin = {
  transformQuery({ node }: PluginTransformQueryArgs) {
    if (!RawNode.is(node)) return node
    const last = node.sqlFragments.at(-1) ?? ''
    return RawNode.create([...node.sqlFragments.slice(0, -1), last + mark], node.parameters)
  },
  transformResult: async ({ result }: PluginTransformResultArgs) => result,
}

/**
 * The same database, where each connection parses a statement once and keeps its plan, if its sessions allow that
 * (`prepareMarked`). For statements of few texts whose best plan is the same for all values: look-ups by key, not searches for
 * words. PostgreSQL plans the first five anew, and goes on doing so where the kept plan would be dearer. Source: PostgreSQL's
 * manual, PREPARE, "Notes".
 */
export const preparing = (db: Database): Database => db.withPlugin(marking)

/** Makes a connection prepare the statements that are marked for it, under names made from their texts. */
export function prepareMarked(client: ClientBase): void {
  const query = client.query.bind(client) as (...sent: unknown[]) => unknown
  const prepared = (text: unknown, ...rest: unknown[]): unknown =>
    typeof text === 'string' && text.endsWith(mark)
      ? query({ name: nameOf(text), text }, ...rest)
      : query(text, ...rest)
  client.query = prepared as typeof client.query
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `rivalscope_${hash('sha256', text, 'base64url')}`
  names.set(text, name)
  return name
}
