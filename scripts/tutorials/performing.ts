import { PassThrough, Readable } from 'node:stream'
import { demoAccount } from '../../sample/demo/tracking.ts'
import { startService } from '../../src/app.ts'
import { runCommandLine } from '../../src/command-line.ts'
import { createKey } from '../../src/domain/accounts/keys.ts'
import type { FilledSample } from '../sample-service.ts'
import { printedForm } from './printed-form.ts'
import { commandsOf, readTutorial, type TutorialName, tutorialNames, withOutputs } from './tutorial.ts'

/** Width of the terminal that the pages show. */
const columns = 90

/**
 * Performs every command of every tutorial against a demo, one after the other, on the recorded day.
 * @returns the pages with what was printed
 * @throws when a command fails
 */
export async function performTutorials(sample: FilledSample): Promise<Map<TutorialName, string>> {
  await using parts = new AsyncDisposableStack()
  const config = await sample.copy(parts)
  const service = parts.use(await startService(config))
  const order = { name: 'tutorials', scopes: ['context:read', 'content:write'], account: demoAccount }
  const key = await createKey(service.db, order)
  const env = {
    ...{ RIVALSCOPE_SERVER: service.address, RIVALSCOPE_KEY: key, NO_COLOR: '1', LANG: 'C.UTF-8' },
    // What imports files does so in the store.
    ...('databaseUrl' in config.location ? { RIVALSCOPE_DATABASE_URL: config.location.databaseUrl } : {}),
  }
  const pages = new Map<TutorialName, string>()
  for (const name of tutorialNames) {
    const page = await readTutorial(name)
    const print = printedForm()
    const outputs: string[] = []
    for (const line of commandsOf(page)) outputs.push(print.shown(await perform(print.meant(line), env)))
    pages.set(name, withOutputs(page, outputs))
  }
  return pages
}

/** The output of a command on a terminal. */
async function perform(line: string, env: NodeJS.ProcessEnv): Promise<string> {
  const [program, ...words] = wordsOf(line)
  if (program !== 'rivalscope') throw new Error(`A tutorial has a command of another program: ${line}`)
  const stdout = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, columns })
  const stderr = new PassThrough({ encoding: 'utf8' })
  const said = { out: '', err: '' }
  stdout.on('data', (text: string) => {
    said.out += text
  })
  stderr.on('data', (text: string) => {
    said.err += text
  })
  // Options that variables give are read from those of the process.
  const around = process.env
  process.env = { ...around, ...env }
  const code = await runCommandLine(words, {
    env,
    directory: process.cwd(),
    stdin: Readable.from([]),
    stdout,
    stderr,
    signal: new AbortController().signal,
    lowerPriority: () => {},
  }).finally(() => {
    process.env = around
  })
  if (code !== 0) throw new Error(`${line} ended with ${code}: ${said.err}`)
  return said.out
}

/** Words between blanks; quotes keep those of one word together. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  )
