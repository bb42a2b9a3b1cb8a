import { commandOf, type KindName } from './test-kinds.ts'

/** A step of the gate and of `npm run test:all`. */
export interface Stage {
  name: string
  command: readonly string[]
  /**
   * When it is run. `reached`: in the gate only the test files that the change reaches since the last proof. `all`: not in the gate.
   * `weekly`: neither there nor in `npm run test:all`, but by `.ci/run --weekly`.
   */
  when: 'always' | 'machine is new' | 'reached' | 'all' | 'weekly'
  /** For `reached`: globs from the root; the stage runs when a matching file changes, otherwise only at night. */
  changed?: readonly string[]
  /** Whether what it runs of `src` is measured with the others, in `npm run test:all`. */
  covers?: true
  /** Whether it tries all cases where everything is run. */
  allCases?: true
  /** The kind that holds its files too, and is run instead by `npm run test:all`: on one demo, and not on one each. */
  within?: KindName
}

const tests = (kind: KindName, when: Stage['when'], more: Partial<Stage> = {}): Stage => ({
  name: `tests: ${kind}`,
  command: commandOf(kind).split(' '),
  when,
  ...more,
})

const storage = '{src/storage,migrations}/**'
/** The command line but how it shows replies. */
const commands = 'src/cli/{*.ts,{completion,operations,operator}/**}'

/** In order. Those of one row run side by side, since each of them leaves a core idle. */
export const stages: readonly (readonly Stage[])[] = [
  [
    { name: 'types and lint', command: ['npm', 'run', '--silent', 'check', '--', '--all'], when: 'always' },
    { name: 'documentation', command: ['npm', 'run', '--silent', 'docs'], when: 'always' },
    { name: 'packages', command: ['.ci/packages'], when: 'machine is new' },
  ],
  [tests('usual', 'always', { covers: true, allCases: true })],
  [
    tests('long', 'reached', { covers: true }),
    tests('truth', 'always'),
    tests('journeys', 'always', { within: 'web' }),
  ],
  [
    tests('faults', 'reached', {
      covers: true,
      changed: [storage, 'src/{jobs,http}/**', commands, 'src/{app,main,worker-log}.ts', 'tests/faults/**'],
    }),
    tests('install', 'reached', {
      changed: [
        'package*.json',
        '{bin,deploy,sample}/**',
        'scripts/{build,install,release,third-party}*',
        commands,
        'src/client/**',
        'tests/install/**',
      ],
    }),
  ],
  [tests('versions', 'reached', { changed: [storage] })],
  [tests('cluster', 'reached', { changed: [storage] })],
  [tests('pages', 'reached', { within: 'web', changed: ['web/**', 'tests/web/**'] })],
  [tests('web', 'all')],
  [tests('clients', 'weekly')],
]
