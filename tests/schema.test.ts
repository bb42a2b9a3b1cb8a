import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { scopes } from '../src/contract/scopes.ts'
import { noStorefront } from '../src/domain/collecting/health.ts'
import { jobKinds } from '../src/jobs/job-kinds.ts'
import { distributableTables } from '../src/storage/cluster.ts'
import { rows } from '../src/storage/database.ts'
import type { Store } from '../src/storage/store.ts'
import { openTestStore } from '../src/storage/testing.ts'
import { formats } from '../src/suppliers/formats.ts'
import { adPlatforms } from '../src/vocabulary/ad-platforms.ts'
import { appleListKinds, trackedRoles } from '../src/vocabulary/app-relations.ts'
import { auditDoors, auditOutcomes } from '../src/vocabulary/audit.ts'
import { chartKinds } from '../src/vocabulary/chart-kinds.ts'
import { attemptOutcomes, checkKinds } from '../src/vocabulary/collecting.ts'
import {
  attributionKinds,
  attributionPlaces,
  copyStatuses,
  handleBases,
  importEndReasons,
  linkActions,
  mediumKinds,
  transcriptOutcomes,
} from '../src/vocabulary/creatives.ts'
import { dataKinds, requestStatuses } from '../src/vocabulary/data-requests.ts'
import { devices } from '../src/vocabulary/devices.ts'
import { emergingKinds } from '../src/vocabulary/emerging.ts'
import { estimateAbsences, estimateMethods, estimateMetrics } from '../src/vocabulary/estimates.ts'
import { changeAreas } from '../src/vocabulary/evidence-areas.ts'
import { answerFailures, callOutcomes, failureKinds } from '../src/vocabulary/failure-kinds.ts'
import { trackedFields } from '../src/vocabulary/listing-fields.ts'
import { networks } from '../src/vocabulary/networks.ts'
import { metrics } from '../src/vocabulary/post-fields.ts'
import { doors, origins, surfaces, timeBases } from '../src/vocabulary/provenance.ts'
import { retainedKinds } from '../src/vocabulary/retention.ts'
import { searchSurfaces } from '../src/vocabulary/search-surfaces.ts'
import { localizationCodes, storefrontCodes } from '../src/vocabulary/storefronts.ts'
import { channelKinds, deliveryStates, digests, watchKinds, webhookShapes } from '../src/vocabulary/watches.ts'
import { workStates } from '../src/vocabulary/work-states.ts'

interface Column {
  table: string
  column: string
  /** As PostgreSQL writes it, `timestamp(3) with time zone`. */
  type: string
}

let store: Store
let columns: readonly Column[]
before(async () => {
  store = await openTestStore()
  columns = await rows(
    store.db,
    sql<Column>`
      select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped and c.relname not like 'kysely%'
      order by 1, 2`,
  )
})
after(() => store[Symbol.asyncDispose]())

const named = ({ table, column, type }: Column) => `${table}.${column} ${type}`

test('every time in the store holds milliseconds, as JavaScript does', () => {
  const times = columns.filter(({ type }) => type.startsWith('timestamp'))
  assert.ok(times.length > 50)
  assert.deepEqual(times.filter(({ type }) => !type.startsWith('timestamp(3) with time zone')).map(named), [])
})

test('money is decimal, and its currency stands beside it', () => {
  const money = columns.filter(({ table, column }) =>
    table === 'estimates' ? ['low', 'mid', 'high'].includes(column) : /price|revenue|amount/.test(column),
  )
  assert.ok(money.length >= 5)
  assert.deepEqual(money.filter(({ type }) => !/^(numeric|integer|bigint)/.test(type)).map(named), [])
  const withCurrency = new Set(columns.filter(({ column }) => column === 'currency').map(({ table }) => table))
  assert.deepEqual(money.filter(({ table }) => !withCurrency.has(table)).map(named), [])
})

test('own revenue without a currency is refused', async () => {
  await assert.rejects(
    sql`insert into own_sales (store_id, country, day, revenue, reading_id)
      values (1, 'us', '2026-03-01', 1, gen_random_uuid())`.execute(store.db),
    /own_sales_currency/,
  )
})

/** The domains of the schema, and the one list of each. */
const words: Record<string, readonly string[]> = {
  answer_failure: answerFailures,
  apple_list_kind: appleListKinds,
  attempt_outcome: attemptOutcomes,
  audit_door: auditDoors,
  audit_outcome: auditOutcomes,
  call_outcome: callOutcomes,
  chart_kind: chartKinds,
  check_kind: checkKinds,
  copy_status: copyStatuses,
  data_kind: dataKinds,
  delivery_state: deliveryStates,
  digest: digests,
  device: devices,
  door: doors,
  estimate_absence: estimateAbsences,
  estimate_method: estimateMethods,
  estimate_metric: estimateMetrics,
  emerging_kind: emergingKinds,
  evidence_area: changeAreas,
  failure_kind: failureKinds,
  ground_kind: attributionKinds,
  ground_place: attributionPlaces,
  handle_basis: handleBases,
  import_ending: importEndReasons,
  link_action: linkActions,
  listing_field: trackedFields,
  localization: localizationCodes,
  search_surface: searchSurfaces,
  medium_kind: mediumKinds,
  origin: origins,
  request_status: requestStatuses,
  retained_kind: retainedKinds,
  storefront_or_none: [noStorefront, ...storefrontCodes],
  time_basis: timeBases,
  tracked_role: trackedRoles,
  transcript_outcome: transcriptOutcomes,
  watch_kind: watchKinds,
  way_kind: channelKinds,
  webhook_shape: webhookShapes,
  work_state: workStates,
}

/** The words in quotes of a constraint as PostgreSQL tells it. */
const quoted = (definition: string) => [...definition.matchAll(/'([^']*)'/g)].map(([, word]) => word).sort()

test('every list of words that a column may hold is that of the vocabulary', async () => {
  const constraints = await rows(
    store.db,
    sql<{ domain: string; definition: string }>`
      select contypid::regtype::text as domain, pg_get_constraintdef(oid) as definition
      from pg_constraint where contypid <> 0 and connamespace = 'public'::regnamespace`,
  )
  const lists = new Map(constraints.map(({ domain, definition }) => [domain, quoted(definition)]))
  // Those have a form and no list, and the last is a list without one of its words.
  assert.deepEqual(lists.get('storefront'), [noStorefront])
  for (const apart of ['registered_name', 'network', 'ad_platform', 'storefront'])
    assert.ok(lists.delete(apart))
  assert.deepEqual(
    Object.fromEntries(lists),
    Object.fromEntries(Object.entries(words).map(([domain, list]) => [domain, [...list].sort()])),
  )
})

test('lists of words in one column hold those of the vocabulary', async () => {
  const lists = { api_keys_scopes_check: Object.keys(scopes), post_metrics_hidden_check: metrics }
  for (const [name, list] of Object.entries(lists)) {
    const [found] = await rows(
      store.db,
      sql<{ definition: string }>`
        select pg_get_constraintdef(oid) as definition from pg_constraint where conname = ${name}`,
    )
    assert.deepEqual(quoted(found?.definition ?? ''), [...list].sort())
  }
})

test('the names of suppliers, sources, formats and kinds of work have the form that the store asks of them', () => {
  const names = [
    ...[...networks, ...adPlatforms, ...Object.keys(surfaces), ...Object.keys(formats)],
    ...jobKinds.map(({ name }) => name),
  ]
  assert.deepEqual(
    names.filter((name) => !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)),
    [],
  )
})

test('a column that is named as one of the lists is holds only words of it', () => {
  const asLists =
    /^(country|storefront|network|platform|device|kind|status|state|role|action|door|origin|source|format|metric|method|outcome|basis|time_basis|found_in|field|.*_kind|.*_status|.*_state|.*_reason|reason|code)$/
  // In words, for people.
  const prose = new Set(['data_requests.dismissal_reason', 'archived_media.reason'])
  assert.deepEqual(
    columns
      .filter(({ type, column }) => type === 'text' && asLists.test(column))
      .map(({ table, column }) => `${table}.${column}`)
      .filter((name) => !prose.has(name)),
    [],
  )
})

test('every table says whether it is small, or by which column a cluster would part it', async () => {
  const tables = await distributableTables(store.db)
  assert.deepEqual(
    tables.filter(({ said }) => !/^(small|by [a-z0-9_]+): ./.test(said ?? '')).map(({ table }) => table),
    [],
  )
})

test('what grows holds the column it is parted by in each of its keys, and refers to small tables alone', async () => {
  const tables = await distributableTables(store.db)
  const small = new Set(tables.filter(({ by }) => by === undefined).map(({ table }) => table))
  const keys = await rows(
    store.db,
    sql<{ table: string; name: string; columns: string[] }>`
      select c.relname as table, k.relname as name, to_json(array(
        select attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum = any((i.indkey::int2[])[0:i.indnkeyatts - 1]))) as columns
      from pg_index i join pg_class c on c.oid = i.indrelid join pg_class k on k.oid = i.indexrelid
      where c.relnamespace = 'public'::regnamespace and i.indisunique and not c.relispartition`,
  )
  const references = await rows(
    store.db,
    sql<{ table: string; to: string }>`
      select conrelid::regclass::text as table, confrelid::regclass::text as to from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  for (const { table, by } of tables) {
    if (by === undefined) continue
    const own = keys.filter((key) => key.table === table)
    assert.ok(own.length > 0, table)
    assert.deepEqual(
      own.filter((key) => !key.columns.includes(by)).map(({ name }) => name),
      [],
      table,
    )
    assert.deepEqual(
      references.filter((one) => one.table === table && !small.has(one.to)).map(({ to }) => to),
      [],
      table,
    )
  }
})
