/**
 * What the text of the files does not say about what tests need. Patterns are globs from the root. `tests/changed-tests.test.ts` fails
 * where one of them matches nothing.
 */

/** A change to one of these can change any test. */
export const reachingEverything = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  'bin/node',
  'tools/node/**',
  'tests/support/{shared-process,leaves-nothing}.ts',
]

/** No test reads these: other steps of the gate do, or only people. */
export const reachingNothing = [
  '.ci/{proven,packages}',
  '.gitignore',
  'LICENSE',
  'biome*.json',
  'knip.json',
  'redocly.yaml',
  'scripts/check',
  '{.,web,site}/tsconfig*.json',
  'bench/**',
  'docs/pictures/**',
  'docs/decisions/**',
  'benchmarks/README.md',
  'findings/**',
  'tests/support/power/README.md',
]

interface AlsoNeeded {
  /** A file that needs one of these … */
  by: string
  /** … also needs all of these. */
  files: string[]
  why: string
}

export const alsoNeeded: AlsoNeeded[] = [
  {
    by: 'src/storage/embedded/embedded-server.ts',
    files: ['src/storage/embedded/supervisor-process.ts'],
    why: 'it is started by a name with the ending of the file that starts it',
  },
  {
    by: 'bin/rivalscope',
    files: ['bin/start.js', 'src/main.ts', 'scripts/build-client.ts'],
    why: 'a shell script',
  },
  { by: 'scripts/build-client.ts', files: ['src/client/**'], why: 'Rolldown bundles them' },
  {
    by: 'tests/web/{,journeys/}*.test.ts',
    files: ['tests/web/support/one-demo.ts', 'web/**', 'bin/rivalscope'],
    why: 'pages in a browser, of a demo that the runner starts',
  },
  {
    by: 'tests/{supply-chain,papers}.test.ts',
    files: [
      '{site,bench/peers,tests/clients,tests/kubernetes,tools/check,tools/node}/package*.json',
      'scripts/install-tools',
    ],
    why: 'what is installed where it is needed, by folder',
  },
  {
    by: 'tests/support/kubernetes.ts',
    files: ['tests/kubernetes/package*.json', 'scripts/install-tools'],
    why: 'its packages are installed by a shell script',
  },
  {
    by: 'tests/install/{deploy,package}.test.ts',
    files: ['deploy/**'],
    why: 'scripts that call each other',
  },
  {
    by: 'tests/papers.test.ts',
    files: ['*.md', 'docs/**/*.md', '.github/**', '.ci/run'],
    why: 'it lists folders',
  },
]
