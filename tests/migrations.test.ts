import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { sql } from 'kysely'
import { migrate, StoreRefusedError } from '../src/storage/migrate.ts'
import { openPostgres } from '../src/storage/open-store.ts'
import { openTestServer, openTestStore } from '../src/storage/testing.ts'
import { emptyDatabase } from './support/empty-database.ts'
import { run } from './support/in-process.ts'
import { openWorld } from './support/world.ts'

test('processes that start at once on an empty database all find it migrated, once', async () => {
  await using server = await openTestServer()
  await using database = await emptyDatabase(server.url)
  const outcomes = await Promise.all([1, 2, 3].map(() => run(['migrate', '--database-url', database.url])))
  for (const { code, out, err } of outcomes) {
    assert.equal(code, 0, err)
    assert.match(out, /^the store is up to date$/m)
  }
  await using store = openPostgres(database.url)
  const { rows } = await sql<{ name: string; times: number }>`
    select name, count(*)::int as times from kysely_migration group by name order by name`.execute(store.db)
  assert.ok(rows.length >= 5 && rows.every((row) => row.times === 1))
  assert.deepEqual(await migrate(store), [])
})

test('a migrated store has nothing left to do', async () => {
  await using store = await openTestStore()
  assert.deepEqual(await migrate(store), [])
})

test('a store that a newer version wrote is refused, by the name of what it has more', async () => {
  await using store = await openTestStore()
  await sql`insert into kysely_migration (name, timestamp) values ('0999_future', '2030-01-01')`.execute(
    store.db,
  )
  await assert.rejects(
    migrate(store),
    (error) =>
      error instanceof StoreRefusedError && /newer version of Rivalscope.*0999_future/.test(error.message),
  )
})

test('a store from before the first release is refused whole, with what to do', async () => {
  await using store = await openTestStore()
  await sql`delete from kysely_migration where name > '0002'`.execute(store.db)
  await sql`insert into kysely_migration (name, timestamp)
    values ('0003_catalogue', '2026-01-01'), ('0038_formula_names', '2026-01-01')`.execute(store.db)
  await assert.rejects(migrate(store), (error) => {
    assert.ok(error instanceof StoreRefusedError)
    assert.equal(
      error.message,
      'The store was made by a version from before the first release (it has 0003_catalogue … 0038_formula_names), and no migration leads from there. Start an empty store, and import into it what that version exports.',
    )
    return true
  })
  const { rows } = await sql`select from kysely_migration where name > '0003_d'`.execute(store.db)
  assert.equal(rows.length, 1)
})

test('ranks that were stored as rows are all there as months, in the order of their time', async () => {
  await using store = await openTestStore()
  const migration = await readFile(new URL('../migrations/0018_ranks_by_month.sql', import.meta.url), 'utf8')
  await sql
    .raw(`
      drop view chart_ranks;
      drop table chart_months;
      drop function times_in_order, ranks_in_order;
      create table chart_ranks (store_id bigint not null, captured_at timestamptz(3) not null, chart_id integer not null,
        rank smallint not null, primary key (store_id, chart_id, captured_at) include (rank)) partition by range (captured_at);
      create table chart_ranks_2025_12 partition of chart_ranks for values from ('2025-12-01 00:00:00+00') to ('2026-01-01 00:00:00+00');
      create table chart_ranks_2026_01 partition of chart_ranks for values from ('2026-01-01 00:00:00+00') to ('2026-02-01 00:00:00+00');
      insert into chart_ranks
      select app, '2025-12-20 23:59:59.999+00'::timestamptz + make_interval(hours => 7 * time), chart, app * chart + time
      from generate_series(1, 5) app, generate_series(1, 3) chart, generate_series(60, 0, -1) time where (app + time) % 4 <> 0;
      create table before as select store_id, chart_id, captured_at, rank from chart_ranks`)
    .execute(store.db)
  await sql.raw(migration).execute(store.db)
  const { rows } = await sql<{ before: number; missing: number; more: number; unordered: number }>`
    select (select count(*)::int from before) as before,
      (select count(*)::int from (table before except select store_id, chart_id, captured_at, rank from chart_ranks) m) as missing,
      (select count(*)::int from chart_ranks) - (select count(*)::int from before) as more,
      (select count(*)::int from chart_months
        where captured_at <> array(select unnest(captured_at) order by 1) or month <> date_trunc('month', captured_at[1])) as unordered`.execute(
    store.db,
  )
  assert.deepEqual(rows, [{ before: 687, missing: 0, more: 0, unordered: 0 }])
})

test('what was called rising is told by its new name, and a back-test against the wrong apps no more', async () => {
  await using world = await openWorld()
  const { db } = world.store
  const { runId } = (await world.call('discover_emerging_ios_competitors', { country: 'us' })).body
  const migration = await readFile(new URL('../migrations/0040_moved_up.sql', import.meta.url), 'utf8')
  await sql
    .raw(`
      alter domain emerging_kind drop constraint emerging_kind_check;
      alter domain emerging_kind add constraint emerging_kind_check check (value in ('new-in-charts', 'rising'));
      alter domain watch_kind drop constraint watch_kind_check;
      alter domain watch_kind add constraint watch_kind_check
        check (value in ('top', 'moved', 'chart', 'listing', 'release', 'ads', 'rising', 'source', 'import'));
      insert into emerging_apps (country, category_id, store_id, window_days, run_id, kind, formula, score, reasons, evidence,
        first_seen_at, discovered_at, found_at)
      values ('us', 0, 712, 14, '${runId}', 'rising', 'emerging/2', 60, '[{"kind": "fast-climb", "weight": 1,
        "detail": "rose from about 40 to about 12 in Top Free Finance over its newest 5 snapshots"}]', '[]', now(), now(), now());
      update work set status = 'succeeded', started_at = now(), finished_at = now(), result = '{"examined": 9, "found": 1,
        "storeIds": ["712"], "backtest": {"verdict": "beats-new-entrants", "lift": 3}}' where work_id = '${runId}';
      insert into watches (watch_id, account_id, kind, definition, from_configuration)
      select '${runId}', account_id, 'rising', '{"kind": "rising", "country": "us"}', false from accounts limit 1`)
    .execute(db)
  await sql.raw(migration).execute(db)
  const { items, lastRun } = (await world.call('list_emerging_ios_competitors', { country: 'us' })).body
  assert.deepEqual(
    items.map(({ kind, formula, reasons }) => [kind, formula, reasons.map((one) => [one.kind, one.detail])]),
    [
      [
        'moved-up',
        'emerging/2',
        [['moved-up', 'moved up from about 40 to about 12 in Top Free Finance over its newest 5 snapshots']],
      ],
    ],
  )
  assert.deepEqual([lastRun?.runId, lastRun?.found, lastRun?.backtest], [runId, 1, null])
  const { rows } = await sql`select kind, definition from watches`.execute(db)
  assert.deepEqual(rows, [{ kind: 'emerging', definition: { kind: 'emerging', country: 'us' } }])
})
