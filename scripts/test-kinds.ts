/** The kinds of tests: which files each has, and how they are run. `npm run test:<kind>` runs one, `npm test` the usual. */
export interface TestKind {
  /** In the words of "tests …". */
  about: string
  /** Globs from the root. */
  files: readonly string[]
  /** All cases of tests that otherwise try some of them; where only what a change reaches is run, also in the usual files. */
  allCases?: true
  /** Each file in a process of its own, so many at a time; otherwise a few processes share them. */
  atOnce?: number
  /** How long a test in such a process may take; as long as it wants when left out. */
  timeoutMs?: number
  /** A module with setup and teardown of the whole run, instead of the one that looks for files left behind. */
  setup?: string
  /** A script that builds what the tests need, and its arguments. */
  build?: readonly string[]
  /** Tests that are left out, by what their names match. */
  skip?: readonly string[]
}

const onOneDemo = {
  atOnce: 2,
  setup: 'tests/web/support/one-demo.ts',
  build: ['scripts/build-web.ts'],
  timeoutMs: 300_000,
} satisfies Partial<TestKind>

export const testKinds = {
  usual: {
    about: 'with one sentence for each behaviour',
    files: ['{src,research,sample,web}/**/*.test.ts', 'tests/*.test.ts'],
    build: ['scripts/build-client.ts', '--module-only'],
  },
  truth: {
    about: 'that compare with a second reading of the real files',
    files: ['tests/truth/*.test.ts'],
    atOnce: 1,
  },
  journeys: {
    about: 'of what people do across pages',
    files: ['tests/web/journeys/*.test.ts'],
    ...onOneDemo,
  },
  pages: {
    about: 'of every page in Chromium, in both themes and at both widths',
    files: ['tests/web/{pages,charts,provenance,weight}.test.ts'],
    ...onOneDemo,
  },
  clients: {
    about: 'of programs of others that call the service',
    files: ['tests/clients/*.test.ts'],
    ...onOneDemo,
  },
  web: {
    about: 'in a browser, with those of bad days, bad input and slow lines',
    files: ['tests/web/*.test.ts', 'tests/web/journeys/*.test.ts'],
    ...onOneDemo,
  },
  long: {
    about: 'that take long',
    files: ['tests/long/*.test.ts'],
    allCases: true,
    build: ['scripts/build-client.ts', '--module-only'],
  },
  faults: {
    about: 'of kills, power cuts, full disks, stopped processes, replicas and poolers',
    files: ['tests/faults/*.test.ts'],
    build: ['scripts/build-client.ts', '--module-only'],
  },
  install: {
    about: 'of what is installed: the package, the demo, the documentation, deployments',
    files: ['tests/install/*.test.ts'],
    build: ['scripts/build-client.ts', '--module-only'],
  },
  versions: {
    about: 'of migrations and SQL that differs between versions of PostgreSQL',
    files: [
      'tests/migrations.test.ts',
      'tests/replay.test.ts',
      'tests/long/real-data.test.ts',
      'tests/work.test.ts',
      'tests/long/aso-invariants.test.ts',
      'tests/organic-search.test.ts',
      'tests/paid-ad-search.test.ts',
      'tests/long/similar.test.ts',
      'tests/door-rate-limit.test.ts',
      'tests/door-idempotency.test.ts',
    ],
  },
  cluster: {
    about: 'of stores that are distributed over a cluster',
    files: [
      'tests/account-keys.test.ts',
      'tests/account-limits.test.ts',
      'tests/ad-analyses.test.ts',
      'tests/ads-of-a-category.test.ts',
      'tests/app-store-ads-on-schedule.test.ts',
      'tests/app-store-ads.test.ts',
      'tests/aso-app-search.test.ts',
      'tests/aso-apps.test.ts',
      'tests/aso-bad-input.test.ts',
      'tests/long/aso-exploration.test.ts',
      'tests/long/aso-gap.test.ts',
      'tests/long/aso-refresh.test.ts',
      'tests/chart-comparison.test.ts',
      'tests/chart-ranks.test.ts',
      'tests/estimates-latest.test.ts',
      'tests/long/estimates.test.ts',
      'tests/aso-related-terms.test.ts',
      'tests/aso-workstation.test.ts',
      'tests/listing-changes.test.ts',
      'tests/file-imports.test.ts',
      'tests/user-provided-evidence.test.ts',
      'tests/availability.test.ts',
      'tests/operators.test.ts',
      'tests/browsing-by-filters.test.ts',
      'tests/categories.test.ts',
      'tests/long/chat-story.test.ts',
      'tests/long/competitor-aso.test.ts',
      'tests/competitor-organic.test.ts',
      'tests/creative-reading.test.ts',
      'tests/long/creatives-bad-input.test.ts',
      'tests/data-requests.test.ts',
      'tests/long/emerging.test.ts',
      'tests/emerging-backtest.test.ts',
      'tests/import-catalogue.test.ts',
      'tests/import-charts.test.ts',
      'tests/import-counts.test.ts',
      'tests/moves.test.ts',
      'tests/payload-dictionaries.test.ts',
      'tests/long/pack-payloads-of-before.test.ts',
      'tests/freshness-of-apps.test.ts',
      'tests/keyword-coverage.test.ts',
      'tests/listing-drafts.test.ts',
      'tests/keyword-filters.test.ts',
      'tests/keyword-matrix.test.ts',
      'tests/import-keyword-ranks.test.ts',
      'tests/localizations.test.ts',
      'tests/localizations-collecting.test.ts',
      'tests/few-matches.test.ts',
      'tests/import-lists.test.ts',
      'tests/import-mappings.test.ts',
      'tests/import-organic.test.ts',
      'tests/import-swipe-files.test.ts',
      'tests/import-paid-ads.test.ts',
      'tests/long/import-sales.test.ts',
      'tests/import-search-results.test.ts',
      'tests/rank-surfaces.test.ts',
      'tests/rivals-of-apps.test.ts',
      'tests/import-shapes.test.ts',
      'tests/listing-of-2026.test.ts',
      'tests/long/kept-media.test.ts',
      'tests/keyword-suggestions.test.ts',
      'tests/localized-search.test.ts',
      'tests/long/listing-audit.test.ts',
      'tests/long/listing-impact.test.ts',
      'tests/old-copies.test.ts',
      'tests/organic.test.ts',
      'tests/organic-search.test.ts',
      'tests/paid-ad-advertisers.test.ts',
      'tests/long/paid-ad-imports.test.ts',
      'tests/paid-ad-search.test.ts',
      'tests/paid-ads.test.ts',
      'tests/ratings.test.ts',
      'tests/remembered-scopes.test.ts',
      'tests/replay.test.ts',
      'tests/long/retention.test.ts',
      'tests/replies-agree.test.ts',
      'tests/retention-media.test.ts',
      'tests/long/retention-media-files.test.ts',
      'tests/saved-creatives.test.ts',
      'tests/search-of-one-storefront.test.ts',
      'tests/search-recall.test.ts',
      'tests/long/similar.test.ts',
      'tests/unreadable-work.test.ts',
      'tests/watches.test.ts',
      'tests/watches-kinds.test.ts',
      'tests/watches-mail.test.ts',
      'tests/watches-on-pages.test.ts',
      'tests/weekly-report.test.ts',
      'tests/word-indexes.test.ts',
      'src/domain/creatives/search/search-plans.test.ts',
    ],
    // One shuffles rows by their place on the disk; of the replays two are enough.
    skip: ['is a brand', '/replay(?! restores exactly)/', 'a clock was years ahead'],
  },
} satisfies Record<string, TestKind>

export type KindName = keyof typeof testKinds

/** The command that runs a kind. */
export const commandOf = (kind: KindName) => (kind === 'usual' ? 'npm test' : `npm run test:${kind}`)
