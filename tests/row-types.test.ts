import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Connection, type FieldDef, type PoolClient, types } from 'pg'
import ts from 'typescript'
import { openTestStore } from '../src/storage/testing.ts'
import { type Statement, typedStatements, type Values } from './support/statements.ts'

/** Statements that cannot be described here, by why: their row types are as good as the tests of what they do. */
const notDescribed = {
  'they ask for tables of Citus': [
    'src/storage/colocation.ts distributeColocated',
    'src/storage/cluster.ts distributedTables',
    'src/storage/cluster.ts shardsOf',
    'src/storage/cluster.ts workersOf',
  ],
  'they ask for tables that are there for a while': [
    'src/projections/replay.ts beAlone',
    'src/storage/backup/jobs.ts addCarriedJobs',
    'src/storage/backup/move-store.ts begunMove',
    'src/storage/backup/move-store.ts notedTables',
  ],
  'their text or a part of it comes from values of a running service': [
    'src/domain/catalogue/search-queries.ts lookedThrough',
    'src/domain/creatives/search/search-queries.ts fetchPage',
    'src/domain/creatives/search/search-queries.ts estimateBySample',
    'src/domain/creatives/search/search-queries.ts scanPage',
    'src/domain/organic/shown-posts.ts postDisplayQueries',
    'src/domain/paid-ads/shown-ads.ts adDisplayQueries',
    'src/domain/watches/rankings.ts capturesAround',
    'src/domain/watches/rankings.ts firstPlace',
    'src/projections/retention/payloads.ts bytesOfRanks',
    'src/storage/backup/tables.ts nonEmptyTables',
    'src/storage/backup/tables.ts sequenceAt',
    'src/storage/replica.ts #connectionFor',
  ],
}

/** Fields that are never null although their columns may be, by why. */
const neverNull: Record<string, string> = {
  'src/domain/emerging/queries.ts youngApps: releasedAt':
    'apps without a date of release are outside of the time asked for',
  'src/domain/estimates/queries.ts modelsUsed: method': 'an estimate without a reason for being absent has one',
  'src/domain/watches/digests.ts digestChannels: digest': 'a constraint: what tells until a time is a digest',
}

const store = await openTestStore()
const client = await store.pool.connect()
const [statements, checker] = await typedStatements(store.db)
const columns = await describedColumns(client)
after(async () => {
  client.release()
  await store[Symbol.asyncDispose]()
})

interface Described {
  statement: Statement
  text: string
  fields: FieldDef[]
}

const described: Described[] = []
const failed: string[] = []
for (const statement of statements)
  try {
    described.push(await describedAs(statement, 'made-up').catch(() => describedAs(statement, 'of calls')))
  } catch {
    failed.push(statement.place)
  }

async function describedAs(statement: Statement, values: Values): Promise<Described> {
  const text = statement.text(values)
  return { statement, text, fields: await describe(client, text) }
}

test('every statement can be described by a migrated database, but for a few that are named', () => {
  assert.deepEqual(failed.toSorted(), Object.values(notDescribed).flat().toSorted())
})

test('every statement answers the columns that the type of its rows declares, and no others', () => {
  const wrong = described.flatMap(({ statement: { place, row }, fields }) => {
    const declared = fieldsOf(row)
    const answered = new Set(fields.map(({ name }) => name))
    const surplus = isOpen(row) ? [] : [...answered].filter((name) => !declared.has(name))
    return [
      ...[...declared]
        .filter(([name, { isOptional }]) => !answered.has(name) && !isOptional)
        .map(([name]) => `${place}: ${name} is declared and not answered`),
      ...surplus.map((name) => `${place}: ${name} is answered and not declared`),
      ...(answered.size < fields.length ? [`${place}: two columns have one name`] : []),
    ]
  })
  assert.deepEqual(wrong, [])
})

test('every field of a row has the type that the driver makes of its column', () => {
  const wrong = described.flatMap(({ statement: { place, row }, fields }) =>
    fields.flatMap((field) => {
      const type = fieldsOf(row).get(field.name)?.type
      const column = columns.typeNames.get(field.dataTypeID) ?? ''
      if (!type || accepts(type, sampleOf(field.dataTypeID), column.startsWith('json'))) return []
      return [`${place}: ${field.name} is ${checker.typeToString(type)}, and its column ${column}`]
    }),
  )
  assert.deepEqual(wrong, [])
})

test('a field is null where its column can be, as far as the schema says so', () => {
  const wrong = described.flatMap((one) =>
    one.fields.flatMap((field) => {
      const type = fieldsOf(one.statement.row).get(field.name)?.type
      const column = columns.ofTables.get(`${field.tableID} ${field.columnID}`)
      if (!type || !column) return []
      const name = `${one.statement.place}: ${field.name}`
      if (isAnything(type)) return []
      const isNullable = partsOf(type).some(({ flags }) => flags & ts.TypeFlags.Null)
      if (isNullable && column.isNeverNull && !outerJoin.test(one.text))
        return [`${name} is declared to be null at times, and its column never is`]
      if (!isNullable && column.isNullable && !isAskedFor(column.name, one.text) && !(name in neverNull))
        return [`${name} is declared never to be null, and its column may be`]
      return []
    }),
  )
  assert.deepEqual(wrong, [])
})

/** What makes columns null that never are. */
const outerJoin = /\b(?:left|full|right) (?:outer )?join\b|\bgrouping sets\b/

/** Whether a condition of a statement asks something of a column, which rows without a value do not meet. */
const isAskedFor = (column: string, text: string): boolean =>
  new RegExp(
    `\\b${column}\\b\\)? (?:is not null|=|<|>|in\\b|between|like)|= \\(?\\w*\\.?${column}\\b|using \\(.*${column}`,
  ).test(text)

/** The columns of a statement's result, which is not run. */
function describe(client: PoolClient, text: string): Promise<FieldDef[]> {
  return new Promise((resolve, reject) => {
    let fields: FieldDef[] = []
    client.query({
      submit(connection: Connection) {
        connection.parse({ name: '', text, types: [] }, true)
        connection.describe({ type: 'S', name: '' }, true)
        connection.sync()
      },
      handleRowDescription: (message: { fields: FieldDef[] }) => {
        fields = message.fields
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(fields),
    })
  })
}

interface Columns {
  /** By type. */
  typeNames: ReadonlyMap<number, string>
  /** By table and column. */
  ofTables: ReadonlyMap<string, { name: string; isNullable: boolean; isNeverNull: boolean }>
}

async function describedColumns(client: PoolClient): Promise<Columns> {
  const { rows: typeNames } = await client.query<{ oid: number; name: string }>(
    'select oid, format_type(oid, null) as name from pg_type',
  )
  type Row = { key: string; name: string; isNullable: boolean; isNeverNull: boolean }
  // JSON has a null of its own.
  const { rows: ofTables } = await client.query<Row>(`
    select format('%s %s', c.oid::int8, a.attnum) as key, a.attname as name, not a.attnotnull as "isNullable",
      a.attnotnull and a.atttypid not in ('json'::regtype, 'jsonb'::regtype) as "isNeverNull"
    from pg_attribute a join pg_class c on c.oid = a.attrelid where c.relkind in ('r', 'p')`)
  return {
    typeNames: new Map(typeNames.map(({ oid, name }) => [oid, name])),
    ofTables: new Map(ofTables.map(({ key, ...column }) => [key, column])),
  }
}

/** What the driver makes of a value of a type. */
function sampleOf(type: number): unknown {
  const name = columns.typeNames.get(type) ?? ''
  return types.getTypeParser(type, 'text')(textOfType(name))
}

function textOfType(name: string): string {
  if (name.endsWith('[]')) return `{${textOfType(name.slice(0, -2))}}`
  if (name === 'boolean') return 't'
  if (name === 'bytea') return '\\x00'
  return /^(?:timestamp|date)/.test(name) ? '2026-01-02 03:04:05+00' : '1'
}

interface Field {
  type: ts.Type
  isOptional: boolean
}

function fieldsOf(row: ts.Type): Map<string, Field> {
  const fields = new Map<string, Field>()
  const rows = partsOf(row)
  for (const one of rows)
    for (const field of checker.getPropertiesOfType(one)) {
      const isEverywhere = rows.every((other) => checker.getPropertyOfType(other, field.name))
      const isOptional = !isEverywhere || (field.flags & ts.SymbolFlags.Optional) !== 0
      const whole = checker.getPropertyOfType(row, field.name) ?? field
      fields.set(field.name, { type: checker.getTypeOfSymbol(whole), isOptional })
    }
  return fields
}

/** Whether a row has fields of a type parameter, which the caller knows. */
const isOpen = (row: ts.Type): boolean =>
  row.isIntersection() && row.types.some(({ flags }) => flags & ts.TypeFlags.Instantiable)

const partsOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type])

/** Whether a declared type can hold a value of the driver. */
function accepts(type: ts.Type, value: unknown, isJson: boolean): boolean {
  return partsOf(type)
    .filter(({ flags }) => !(flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)))
    .every((part) => (isJson ? isOfJson(part) : isOf(part, value)))
}

function isOf(type: ts.Type, value: unknown): boolean {
  if ((type.flags & ts.TypeFlags.Any) | ts.TypeFlags.Unknown) return true
  if (type.flags & ts.TypeFlags.Instantiable) return isOf(checker.getBaseConstraintOfType(type) ?? type, value)
  if (type.isUnion()) return type.types.every((one) => isOf(one, value))
  if (type.isIntersection()) return type.types.some((one) => isOf(one, value))
  if (type.flags & ts.TypeFlags.StringLike) return typeof value === 'string'
  if (type.flags & ts.TypeFlags.NumberLike) return typeof value === 'number'
  if (type.flags & ts.TypeFlags.BooleanLike) return typeof value === 'boolean'
  if (type.symbol?.name === 'Date') return value instanceof Date
  if (isBytes(type)) return value instanceof Uint8Array
  const [element] = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference) : []
  return element !== undefined && Array.isArray(value) && accepts(element, value[0], false)
}

/** JSON has no instants and no bytes. */
function isOfJson(type: ts.Type, depth = 0): boolean {
  if (type.symbol?.name === 'Date' || isBytes(type)) return false
  if (type.isUnionOrIntersection()) return type.types.every((one) => isOfJson(one, depth))
  if (!(type.flags & ts.TypeFlags.Object) || depth > 4) return true
  if (checker.isArrayType(type))
    return checker.getTypeArguments(type as ts.TypeReference).every((one) => isOfJson(one, depth + 1))
  return checker.getPropertiesOfType(type).every((field) => isOfJson(checker.getTypeOfSymbol(field), depth + 1))
}

const isAnything = ({ flags }: ts.Type): boolean => (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0

const isBytes = ({ symbol }: ts.Type): boolean => /^(?:Buffer|Uint8Array)$/.test(symbol?.name ?? '')
