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

/** Suffix that marks a statement to be prepared. */
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
 * (`PreparingClient`). For statements with few distinct texts whose best plan is the same for all values: look-ups by key,
 * not searches for words. PostgreSQL plans the first five executions individually, and continues to where the generic plan
 * would cost more. Source: PostgreSQL's manual, PREPARE, "Notes".
 */
export const preparing = (db: Database): Database => db.withPlugin(marking)

const compiler = preparing(
  new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: () => Promise.reject(new Error('Nothing runs here.')) }),
  }),
)

/**
 * Compiles a frequent statement for `preparing` databases once: building its text for each call takes as long as everything
 * else that the process does for it.
 */
export const compiled = <Row>(query: RawBuilder<Row>): CompiledQuery<Row> => query.compile(compiler)

/** A statement that is prepared on any database, as by `preparing`. */
export const prepared = <Row>(statement: RawBuilder<Row>): RawBuilder<Row> => statement.withPlugin(marking)

/** The same as `prepared`, for a text that was not written with Kysely. */
export const preparedText = (text: string): string => text + mark

/** A connection that prepares the marked statements, under names derived from their texts. */
export class PreparingClient extends LastingClient {
  // biome-ignore lint/suspicious/noExplicitAny: a method of many overloads, which are handed on as they are
  override query(asked: any, ...rest: any[]): any {
    const isMarked = typeof asked === 'string' && asked.endsWith(mark)
    return Reflect.apply(super.query, this, [isMarked ? { name: nameOf(asked), text: asked } : asked, ...rest])
  }
}

/**
 * A connection that prepares nothing, for poolers that do not keep prepared statements: libraries, such as the one for rate
 * limits, name their own statements.
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
