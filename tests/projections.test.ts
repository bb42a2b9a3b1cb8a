import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { exportKinds } from '../src/exports/run-export.ts'
import { type ProjectionName, projectionNames } from '../src/projections/names.ts'
import { defineProjection, type Projection } from '../src/projections/projection.ts'
import { exportedFormats, projections } from '../src/projections/projections.ts'
import { rows } from '../src/storage/database.ts'
import type { Store } from '../src/storage/store.ts'
import { openTestStore } from '../src/storage/testing.ts'
import { formats } from '../src/suppliers/formats.ts'
import type { DataKind } from '../src/vocabulary/data-requests.ts'

let store: Store
before(async () => {
  store = await openTestStore()
})
after(() => store[Symbol.asyncDispose]())

const all = projectionNames.map((name) => [name, projections[name] as Projection] as const)
const derived = all.flatMap(([, { tables }]) => tables)

/** Tables whose rows are made by something else than a payload, by why they have to outlive a replay. */
const notDerived: Record<string, readonly string[]> = {
  'what accounts are and may': [
    'accounts',
    'api_keys',
    'idempotent_replies',
    'rate_limits',
    'sessions',
    'sign_in_links',
    'store_secret',
  ],
  evidence: [
    'payloads',
    'payload_dictionaries',
    'payload_months_to_pack',
    'readings',
    'reading_identities',
    'evidence_changes',
    'evidence_change_scopes',
    'removed_months',
  ],
  'work and what came of it': [
    'work',
    'work_requesters',
    'file_import_parts',
    'ad_imports',
    'ad_previews',
    'ad_transcripts',
    'ad_analyses',
    'model_usage',
    'emerging_apps',
    'estimates',
    'calibrations',
    'word_weights',
    'word_weight_runs',
    'word_indexes',
    'rating_scales',
    'rating_scale_runs',
  ],
  'how sources fare': [
    'upstream_rate_limits',
    'upstream_calls',
    'source_health',
    'chart_attempts',
    'app_checks',
    'localization_checks',
    'check_failures',
    'search_failures',
    'hint_failures',
  ],
  'what people asked for, follow, saved or decided': [
    'data_requests',
    'tracked_apps',
    'tracked_keywords',
    'removed_tracked_apps',
    'removed_keywords',
    'own_listings',
    'listing_drafts',
    'keyword_filters',
    'saved_posts',
    'saved_ads',
    'media_requests',
    'ad_decisions',
    'post_decisions',
    'declared_handles',
    'watches',
    'watch_ways',
    'watch_times',
    'report_links',
    'kept_schedule',
  ],
  'who wrote what': ['audit_events'],
  'what accounts were told': ['watch_places', 'watch_events', 'watch_deliveries', 'watch_state'],
  'numbers that others refer to': ['term_names'],
  'copies of media': ['archived_media', 'media_objects', 'removed_contents'],
}

test('every table is made by one projection, or stands in the list of what is not derived', async () => {
  const found = await rows(
    store.db,
    sql<{ name: string }>`
      select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname not like 'kysely_%'`,
  )
  const reported = [...derived, ...Object.values(notDerived).flat()]
  assert.deepEqual(found.map(({ name }) => name).sort(), reported.toSorted())
})

test('nothing that outlives a replay refers to a row that a replay makes anew', async () => {
  const found = await rows(
    store.db,
    sql<{ from: string; to: string }>`
      select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
      where contype = 'f' and conparentid = 0`,
  )
  const made = (table: string) => all.find(([, { tables }]) => tables.includes(table))?.[0]
  const wrong = found.filter(({ from, to }) => made(to) !== undefined && made(from) !== made(to))
  assert.deepEqual(wrong, [])
})

test('every format of payloads is taken by a projection', () => {
  const taken = new Set(all.flatMap(([, projection]) => projection.formats))
  assert.deepEqual(
    Object.keys(formats).filter((format) => !taken.has(format as keyof typeof formats)),
    [],
  )
})

test('what a projection rests on is a projection', () => {
  const wrong = all.flatMap(([, { restsOn }]) => restsOn).filter((name) => !(name in projections))
  assert.deepEqual(wrong, [])
})

test('evidence goes out by the exports there are', () => {
  const exported = new Set(all.flatMap(([, { exportedAs }]) => exportedAs ?? []))
  const made = [
    ...Object.keys(exportedFormats),
    'keyword-ranks',
    'charts',
    ...exportKinds.filter((kind) => kind !== 'saved'),
  ]
  assert.deepEqual([...exported].sort(), made.sort())
})

test('a projection that lacks a part does not compile', () => {
  const whole = {
    summary: '',
    tables: [],
    formats: [],
    restsOn: [],
    parse: () => [],
    project: async () => {},
    settle: null,
    withdraw: null,
    fulfils: {},
    changes: () => [],
    exportedAs: null,
  }
  assert.ok(defineProjection(whole))
  // Only the compiler looks at these: each lacks one part.
  const lacking = {
    summary: () => {
      const { summary: _, ...rest } = whole
      // @ts-expect-error
      defineProjection(rest)
    },
    tables: () => {
      const { tables: _, ...rest } = whole
      // @ts-expect-error
      defineProjection(rest)
    },
    formats: () => {
      const { formats: _, ...rest } = whole
      // @ts-expect-error
      defineProjection(rest)
    },
    restsOn: () => {
      const { restsOn: _, ...rest } = whole
      // @ts-expect-error
      defineProjection(rest)
    },
    parse: () => {
      const { parse: _, ...rest } = whole
      // @ts-expect-error
      defineProjection(rest)
    },
    project: () => {
      const { project: _, ...rest } = whole
      // @ts-expect-error
      defineProjection(rest)
    },
    settle: () => {
      const { settle: _, ...rest } = whole
      // @ts-expect-error
      defineProjection(rest)
    },
    withdraw: () => {
      const { withdraw: _, ...rest } = whole
      // @ts-expect-error
      defineProjection(rest)
    },
    fulfils: () => {
      const { fulfils: _, ...rest } = whole
      // @ts-expect-error
      defineProjection(rest)
    },
    changes: () => {
      const { changes: _, ...rest } = whole
      // @ts-expect-error
      defineProjection(rest)
    },
    exportedAs: () => {
      const { exportedAs: _, ...rest } = whole
      // @ts-expect-error
      defineProjection(rest)
    },
  } satisfies Record<keyof typeof whole, () => void>
  assert.deepEqual(Object.keys(lacking), Object.keys(whole))
})

test('every kind of data that people can ask for is answered by a projection, or by the refresh of estimates', () => {
  type Answers = { [Name in ProjectionName]: keyof (typeof projections)[Name]['fulfils'] }
  type Answered = Answers[ProjectionName] | 'estimates'
  const answered: Record<Exclude<DataKind, Answered>, never> = {}
  assert.deepEqual(answered, {})
})
