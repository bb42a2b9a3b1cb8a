import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MeasuredFile } from '../tests/support/measure-coverage.ts'

/**
 * Compares what tests ran of `src` and `research` with the floor, and fails below it.
 *
 *   node scripts/coverage-floor.ts <folder>             that scripts/test.ts --coverage wrote to
 *   node scripts/coverage-floor.ts <folder> --raise     and raises the floor to what was measured
 */

/** Minimum percentage of them covered by `npm test`, the long tests and those of faults together. It only rises. */
interface Coverage {
  lines: number
  functions: number
}

const floorFile = new URL('coverage-floor.json', import.meta.url)
const root = fileURLToPath(new URL('..', import.meta.url))
const kinds = ['lines', 'functions'] as const

if (!existsSync(join(root, '../shared/data')))
  process.stdout.write('coverage: not compared, for tests of ../shared/data were skipped\n')
else compare(process.argv[2] ?? '.', process.argv.includes('--raise'))

function compare(folder: string, raise: boolean): void {
  const covered = coverageOf(folder)
  const floor = JSON.parse(readFileSync(floorFile, 'utf8')) as Coverage
  for (const kind of kinds) {
    process.stdout.write(`coverage of ${kind}: ${covered[kind].toFixed(2)} %, at least ${floor[kind]} %\n`)
    if (covered[kind] < floor[kind]) process.exitCode = 1
    // A margin, because races between processes change the coverage of some lines from run to run.
    else if (raise) floor[kind] = Math.max(floor[kind], Math.floor(10 * covered[kind] - 2) / 10)
  }
  if (raise && process.exitCode === undefined) writeFileSync(floorFile, `${JSON.stringify(floor, null, 2)}\n`)
}

function coverageOf(folder: string): Coverage {
  const runs = new Map<string, MeasuredFile[]>()
  for (const name of readdirSync(folder))
    for (const measured of JSON.parse(readFileSync(join(folder, name), 'utf8')) as MeasuredFile[])
      runs.set(measured.file, [...(runs.get(measured.file) ?? []), measured])
  const all = { lines: 0, functions: 0 }
  const ran = { lines: 0, functions: 0 }
  const exclude = ['**/*.test.ts', '**/*.d.ts', 'research/programs/**']
  for (const path of globSync('{src,research}/**/*.ts', { cwd: root, exclude })) {
    const file = join(root, path)
    const lines = linesOf(file, runs.get(file) ?? [])
    all.lines += lines.length
    ran.lines += lines.filter(Boolean).length
    const functions = functionsOf(runs.get(file) ?? [])
    all.functions += functions.length
    ran.functions += functions.filter(Boolean).length
  }
  return { lines: (100 * ran.lines) / all.lines, functions: (100 * ran.functions) / all.functions }
}

/** For each line with code, whether any process ran all of it. Types and comments are not code. */
function linesOf(file: string, runs: MeasuredFile[]): boolean[] {
  const text = stripTypeScriptTypes(readFileSync(file, 'utf8'))
  const missed = runs.map(({ functions }) => {
    const characters = new Uint8Array(text.length).fill(1)
    for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges))
      characters.fill(count > 0 ? 0 : 1, startOffset, endOffset)
    return characters
  })
  const lines: boolean[] = []
  let start = 0
  for (const line of text.split('\n')) {
    const end = start + line.length
    const from = start + line.search(/\S/)
    if (/^\s*(?!\/\/|\/\*|\*|[\])},;]*$)\S/.test(line))
      lines.push(missed.some((characters) => !characters.subarray(from, end).includes(1)))
    start = end + 1
  }
  return lines
}

/** For each function of a file that any process has loaded, whether it ran. */
function functionsOf(runs: MeasuredFile[]): boolean[] {
  const ran = new Map<string, boolean>()
  for (const { functions } of runs)
    for (const {
      ranges: [whole],
    } of functions) {
      if (whole === undefined || whole.startOffset === 0) continue
      const key = `${whole.startOffset}-${whole.endOffset}`
      ran.set(key, whole.count > 0 || ran.get(key) === true)
    }
  return [...ran.values()]
}
