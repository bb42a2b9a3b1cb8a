import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openFolder } from './support/files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = openFolder()
after(() => folder[Symbol.dispose]())
const at = join(folder.path, 'checkout')

/** Writes the files that a process loads to standard error, one a line. */
const tellLoaded = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  import { writeSync } from 'node:fs'
  registerHooks({ load(url, context, next) {
    if (url.startsWith('file:')) writeSync(2, 'loaded ' + url.slice(7) + '\\n')
    return next(url, context)
  } })`)}`

/** Runs a command of the checkout as a user does, who tests nothing. */
function run(words: string[], env: NodeJS.ProcessEnv = {}) {
  const { NODE_TEST_CONTEXT: _, NODE_COMPILE_CACHE: _cache, ...own } = process.env
  const { status, stdout, stderr } = spawnSync(join(at, 'bin/rivalscope'), words, {
    cwd: folder.path,
    env: { ...own, NODE_OPTIONS: `--import ${tellLoaded}`, ...env },
    encoding: 'utf8',
  })
  const lines = stderr.split('\n')
  return {
    status,
    stdout,
    said: lines.filter((line) => !line.startsWith('loaded ')).join('\n'),
    loaded: lines
      .filter((line) => line.startsWith('loaded '))
      .map((line) => line.slice('loaded '.length).replace(`${at}/`, '')),
  }
}

const build = () =>
  spawnSync(process.execPath, [join(at, 'scripts/build-service.ts')], { cwd: folder.path, encoding: 'utf8' })
const builds = () => readdirSync(join(at, 'dist/service')).filter((name) => name !== 'built.json')
const fromSources = (loaded: readonly string[]) => loaded.filter((file) => file.startsWith('src/'))

before(() => {
  for (const part of [
    'bin',
    'src',
    'sample',
    'research',
    'benchmarks',
    'scripts',
    'migrations',
    'docs',
    'tools/node',
    'package.json',
  ])
    cpSync(join(root, part), join(at, part), { recursive: true, verbatimSymlinks: true })
  symlinkSync(join(root, 'node_modules'), join(at, 'node_modules'))
  const main = join(at, 'src/main.ts')
  writeFileSync(
    main,
    `${readFileSync(main, 'utf8')}\nif (words[0] === 'contract') throw new TypeError('on purpose')\n`,
  )
})

describe('a checkout', () => {
  test('starts from its sources where nothing is built, and where nothing can be', () => {
    assert.ok(fromSources(run(['--version']).loaded).includes('src/main.ts'))
    writeFileSync(join(at, 'dist'), '')
    assert.notEqual(build().status, 0)
    assert.ok(fromSources(run(['--version']).loaded).includes('src/main.ts'))
    rmSync(join(at, 'dist'))
  })

  test('starts from what was built of them, a few files that hold what the command needs', () => {
    const { status, stderr } = build()
    assert.equal(status, 0, stderr)
    const sources = run(['keys', 'list', '--help'], { NODE_TEST_CONTEXT: 'child' })
    const built = run(['keys', 'list', '--help'])
    assert.equal(built.stdout, sources.stdout)
    assert.deepEqual(fromSources(built.loaded), [])
    assert.ok(sources.loaded.length > 100 && built.loaded.length < 30, built.loaded.join('\n'))
  })

  test('names its sources in traces, and ends with the same code', () => {
    const sources = run(['contract'], { NODE_TEST_CONTEXT: 'child' })
    const built = run(['contract'])
    assert.deepEqual([sources.status, built.status], [1, 1])
    const traceOf = (said: string) =>
      said.split('\n').filter((line) => line.includes(`${at}/src/`) && line.startsWith('    at '))
    assert.match(built.said, /TypeError: on purpose/)
    assert.match(traceOf(built.said).join(), /src\/main\.ts:\d+:\d+/)
    assert.deepEqual(traceOf(built.said), traceOf(sources.said))
  })

  test('starts from its sources again once one has changed, though it is as long and as old as before', () => {
    const file = join(at, 'src/commands.ts')
    const { atimeMs, mtimeMs } = statSync(file)
    writeFileSync(file, readFileSync(file, 'utf8').replace('list all keys with', 'tell all keys with'))
    utimesSync(file, atimeMs / 1000, mtimeMs / 1000)
    const { stdout, loaded } = run(['keys', '--help'])
    assert.match(stdout, /tell all keys with/)
    assert.ok(fromSources(loaded).includes('src/commands.ts'))
  })

  test('builds anew beside what other processes run from, and leaves alone what is built already', () => {
    const [first = ''] = builds()
    assert.equal(build().status, 0)
    const both = builds()
    assert.equal(both.length, 2)
    assert.ok(both.includes(first))
    const { stdout, loaded } = run(['keys', '--help'])
    assert.match(stdout, /tell all keys with/)
    assert.deepEqual(fromSources(loaded), [])
    assert.equal(build().status, 0)
    assert.deepEqual(builds(), both)
  })

  test('removes what no process has run from for days', () => {
    const [first = ''] = builds()
    utimesSync(join(at, 'dist/service', first), 0, 0)
    writeFileSync(join(at, 'src/commands.ts'), `${readFileSync(join(at, 'src/commands.ts'), 'utf8')}\n`)
    assert.equal(build().status, 0)
    assert.ok(!builds().includes(first))
    assert.equal(builds().length, 2)
  })

  test('moved to another place, or without the folder of what was built, starts from its sources', () => {
    const built = JSON.parse(readFileSync(join(at, 'dist/service/built.json'), 'utf8'))
    writeFileSync(join(at, 'dist/service/built.json'), JSON.stringify({ ...built, root: '/elsewhere/' }))
    assert.ok(fromSources(run(['--version']).loaded).includes('src/main.ts'))
    writeFileSync(join(at, 'dist/service/built.json'), JSON.stringify(built))
    assert.deepEqual(fromSources(run(['--version']).loaded), [])
    rmSync(join(at, 'dist/service', built.name), { recursive: true })
    assert.ok(fromSources(run(['--version']).loaded).includes('src/main.ts'))
  })
})

test('a service starts without what the first text, ad or request to others needs, and a command without what measures letters', () => {
  const late = ['/eld/', '/ky/', '/string-width/', '/ad-analysis/local-analysis.ts']
  for (const code of [`await import('${root}src/app.ts')`, `await import('${root}src/command-line.ts')`]) {
    const { stderr, status } = spawnSync(
      process.execPath,
      ['--import', tellLoaded, '--input-type=module', '-e', code],
      {
        encoding: 'utf8',
      },
    )
    assert.equal(status, 0, stderr)
    const loaded = stderr.split('\n')
    assert.ok(loaded.length > 20)
    assert.deepEqual(
      loaded.filter((line) => late.some((part) => line.includes(part))),
      [],
    )
  }
})
