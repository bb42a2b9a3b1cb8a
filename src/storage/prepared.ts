import { hash } from 'node:crypto'
import {
  type CompiledQuery,
  Kysely,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  PostgresDialect,
  type RawBuilder,
  RawNode,
} from 'kysely'
import type { Database } from './database.ts'
import { LastingClient } from './lasting-client.ts'

/** Ends the text of a statement that is to be prepared. */
const mark = ' /* prepared */'

const marking: KyselyPlugin = {
  transformQuery({ node }: PluginTransformQueryArgs) {
    if (!RawNode.is(node)) return node
    const last = node.sqlFragments.at(-1) ?? ''
    if (last.endsWith(mark)) return node
    return RawNode.create([...node.sqlFragments.slice(0, -1), last + mark], node.parameters)
  },
  transformResult: async ({ result }: PluginTransformResultArgs) => result,
}

/**
 * The same database, where each connection parses a statement once and keeps its plan, if its sessions allow that
 * (`PreparingClient`). For statements of few texts whose best plan is the same for all values: look-ups by key, not searches for
 * words. PostgreSQL plans the first five anew, and goes on doing so where the kept plan would be dearer. Source: PostgreSQL's
 * manual, PREPARE, "Notes".
 */
export const preparing = (db: Database): Database => db.withPlugin(marking)

const compiler = preparing(
  new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: () => Promise.reject(new Error('Nothing runs here.')) }),
  }),
)

/**
 * A statement for `preparing` databases that is asked again and again: putting its text together for each call takes as long
 * as all else that a process does about it.
 */
export const compiled = <Row>(query: RawBuilder<Row>): CompiledQuery<Row> => query.compile(compiler)

/** A statement that is prepared wherever it runs, as those of `preparing`. */
export const prepared = <Row>(statement: RawBuilder<Row>): RawBuilder<Row> => statement.withPlugin(marking)

/** As `prepared`, of a text that Kysely does not write. */
export const preparedText = (text: string): string => text + mark

/** A connection that prepares the statements that are marked for it, under names made from their texts. */
export class PreparingClient extends LastingClient {
  // biome-ignore lint/suspicious/noExplicitAny: a method of many overloads, which are handed on as they are
  override query(asked: any, ...rest: any[]): any {
    const isMarked = typeof asked === 'string' && asked.endsWith(mark)
    return Reflect.apply(super.query, this, [isMarked ? { name: nameOf(asked), text: asked } : asked, ...rest])
  }
}

/**
 * A connection that prepares nothing, where no statement is found again: libraries, such as that of the rate limit, give
 * names to statements of their own.
 */
export class UnpreparingClient extends LastingClient {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  override query(asked: any, ...rest: any[]): any {
    const isNamed = typeof asked?.name === 'string' && typeof asked.submit !== 'function'
    return Reflect.apply(super.query, this, [isNamed ? { ...asked, name: undefined } : asked, ...rest])
  }
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `rivalscope_${hash('sha256', text, 'base64url')}`
  names.set(text, name)
  return name
}
