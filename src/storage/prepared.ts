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

/** Suffix that marks a statement to be prepared. */
const mark = ' /* prepared */'

/** Whether a text is of a statement to be prepared. */
export const isMarkedPrepared = (text: string): boolean => text.endsWith(mark)

const marking: KyselyPlugin = {
  transformQuery({ node }: PluginTransformQueryArgs) {
    if (!RawNode.is(node)) return node
    const last = node.sqlFragments.at(-1) ?? ''
    if (isMarkedPrepared(last)) return node
    return RawNode.create([...node.sqlFragments.slice(0, -1), last + mark], node.parameters)
  },
  transformResult: async ({ result }: PluginTransformResultArgs) => result,
}

/**
 * The same database, where each connection parses a statement once and keeps its plan, if its sessions allow that
 * (`StoreClient`). For statements with few distinct texts whose best plan is the same for all values: look-ups by key,
 * not searches for words. PostgreSQL plans the first five executions individually, and continues to where the generic plan
 * would cost more. Source: PostgreSQL's manual, PREPARE, "Notes".
 */
export const withPreparedStatements = (db: Database): Database => db.withPlugin(marking)

const compiler = withPreparedStatements(
  new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: () => Promise.reject(new Error('Nothing runs here.')) }),
  }),
)

/**
 * Compiles a frequent statement for `withPreparedStatements` databases once: building its text for each call takes as long as everything
 * else that the process does for it.
 */
export const compilePrepared = <Row>(query: RawBuilder<Row>): CompiledQuery<Row> => query.compile(compiler)

/** A statement that is prepared on any database, as by `withPreparedStatements`. */
export const asPrepared = <Row>(statement: RawBuilder<Row>): RawBuilder<Row> => statement.withPlugin(marking)

/** The same as `asPrepared`, for a text that was not written with Kysely. */
export const asPreparedText = (text: string): string => text + mark
