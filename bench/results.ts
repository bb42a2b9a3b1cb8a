/**
 * The record of what was measured against what is wanted: `bench/results.json`, from which `npm run record -- results` writes
 * `bench/RESULTS.md`. A figure holds for the commit on which it was measured. Once the code that it rests on has changed it is stale,
 * and met no longer, until somebody measures it again.
 *
 *   npm run bench -- --keep             fills in the rows of which the figure and the command are those of the run
 *   npm run bench -- --stale            which figures are stale, and by which change
 *   bin/node bench/results.ts --check   fails where the page is not what the figures say; tells how many are stale, without failing
 */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { changesSince, NoSuchCommit } from '../scripts/changes/changed-files.ts'
import { dependencyGraphOf, neededFilesIn } from '../scripts/changes/reach.ts'
import type { Figure } from './figures.ts'

export interface Result {
  figure: string
  /** With what it was compared in the same run; its values are then so many times that. */
  floor?: string
  goal?: { atMost: number } | { atLeast: number }
  /** Of the last measurement, a value a run. */
  values: number[]
  /** Of values and goal, where they are no multiples of a floor. */
  unit?: string
  /** Absolute times, and what else one has to know. */
  told?: string
  /** On which it was measured; null where nobody wrote that down. */
  commit: string | null
  date: string
  /** Load average of what else ran. */
  load: string
  /** A program of `bench/` with its arguments, or another command. */
  command: string
  /** Globs of the code whose speed it is, which with all it imports it rests on. Without: what the program imports. */
  restsOn?: string[]
}

/** By area, in the order of the page. */
export type Results = Record<string, Result[]>

/** Every value has to meet the goal. Undefined where there is none, or nothing was measured. */
export function verdictOf({ goal, values }: Result): 'met' | 'missed' | undefined {
  if (!goal || values.length === 0) return undefined
  return values.every((value) => ('atMost' in goal ? value <= goal.atMost : value >= goal.atLeast))
    ? 'met'
    : 'missed'
}

export interface Staleness {
  /** The stale ones, each with the reason. */
  stale: Map<Result, string>
  /** Those of which a shallow clone cannot tell. */
  unknown: Result[]
}

/**
 * Compares the files that each figure rests on, by imports as they are now, with those that have changed since its commit, committed
 * or not. The program that measures is one of them.
 * @throws where a result names files that there are not
 */
export function stalenessOf(root: string, results: Results): Staleness {
  const stale = new Map<Result, string>()
  const unknown: Result[] = []
  const { all } = changesSince(root, 'HEAD')
  const needed = neededFilesIn(dependencyGraphOf(root, all))
  const changes = new Map<string, readonly string[] | undefined>()
  const changedSince = (commit: string) => {
    if (!changes.has(commit)) changes.set(commit, changedFiles(root, commit))
    return changes.get(commit)
  }
  for (const result of Object.values(results).flat()) {
    const files = filesUnder(root, result, needed)
    if (result.commit === null) stale.set(result, 'the commit it was measured on is not recorded')
    else {
      const changed = changedSince(result.commit)
      const [first, ...more] = changed?.filter((file) => files.has(file)) ?? []
      if (first) stale.set(result, `${first}${more.length > 0 ? ` and ${more.length} more` : ''} changed since`)
      else if (!changed && isShallow(root)) unknown.push(result)
      else if (!changed) stale.set(result, `commit ${result.commit} is not in this history`)
    }
  }
  return { stale, unknown }
}

function filesUnder(
  root: string,
  { figure, command, restsOn }: Result,
  needed: (files: Iterable<string>) => Set<string>,
): Set<string> {
  const program = join('bench', command.split(' ')[0] ?? '')
  const measures = existsSync(join(root, program)) && program.endsWith('.ts') ? [program] : []
  if (!restsOn) {
    if (measures.length === 0) throw new Error(`"${figure}": restsOn has to say what ${command} measures`)
    return needed(measures)
  }
  const found = restsOn.flatMap((glob) => {
    const files = globSync(glob, { cwd: root })
    if (files.length === 0) throw new Error(`"${figure}" rests on ${glob}, which is not there`)
    return files
  })
  return new Set([...needed(found), ...measures])
}

/** Undefined where there is no such commit here. */
function changedFiles(root: string, commit: string): readonly string[] | undefined {
  try {
    return changesSince(root, commit).changed
  } catch (error) {
    if (error instanceof NoSuchCommit) return undefined
    throw error
  }
}

const isShallow = (root: string) =>
  execFileSync('git', ['rev-parse', '--is-shallow-repository'], { cwd: root, encoding: 'utf8' }).trim() ===
  'true'

const staleMark = '*stale*: '

/** The page without the words of what is stale, which change with every commit. */
export const withoutStaleness = (page: string): string => page.replaceAll(staleMark, '')

export function pageOf(results: Results, stale: ReadonlyMap<Result, string>): string {
  const lines = [
    '# Results',
    '',
    'What was measured against what is wanted, written by `npm run record -- results` from [results.json](results.json). Floors first: how many',
    'times what a bare program takes for the same in the same run; where other work ran, only that means something. *Load* is the load average of',
    'what else ran. A verdict holds for the commit it names; a figure is *stale*, and not met, once code it rests on has changed since',
    '([decision 125](../docs/decisions/0125-figures-go-stale.md)): marked here when the page was last recorded, and told for this moment by',
    '`npm run bench -- --stale`. Machine of all rows: a virtual one with 2 cores and 24 GiB of memory, Node.js 24, PostgreSQL on the same, loopback.',
    'Programs without a folder are of `bench/`. How each was measured, profiles, and what is missed and why: [DETAILS.md](DETAILS.md).',
  ]
  for (const [area, rows] of Object.entries(results)) {
    lines.push('', `## ${area}`, '')
    lines.push('| figure | floor | times the floor | goal | measured | verdict | date, load | command |')
    lines.push('| --- | --- | --- | --- | --- | --- | --- | --- |')
    for (const row of rows) lines.push(`| ${cellsOf(row, stale.has(row)).join(' | ')} |`)
  }
  return `${lines.join('\n')}\n`
}

function cellsOf(row: Result, isStale: boolean): string[] {
  const { figure, floor, goal, values, unit = '×', told = '', commit, date, load, command } = row
  const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 3 })
  const measured = values.map(number).join(', ')
  const absolute = floor ? told : [`${measured} ${unit}`, told].filter(Boolean).join('; ')
  const wanted = goal && ('atMost' in goal ? `≤ ${number(goal.atMost)}` : `≥ ${number(goal.atLeast)}`)
  const verdict = verdictOf(row) ?? 'measured'
  const at = `${verdict === 'missed' ? '**missed**' : verdict}${commit ? ` at ${commit}` : ', commit not recorded'}`
  return [
    figure,
    floor ?? '',
    floor ? measured : '',
    wanted ? `${wanted} ${unit}` : '',
    absolute,
    `${isStale ? staleMark : ''}${at}`,
    `${date}, ${load}`,
    `\`${command}\``,
  ].map((cell) => cell.replaceAll('|', '\\|'))
}

/** What is stale, and by what, for people; and one line that counts. */
export function staleSummary(
  results: Results,
  { stale, unknown }: Staleness,
): { lines: string[]; count: string } {
  const all = Object.values(results).flat()
  const standing = all.filter((row) => !stale.has(row) && !unknown.includes(row))
  const met = standing.filter((row) => verdictOf(row) === 'met').length
  const untold = unknown.length > 0 ? `, ${unknown.length} cannot be told in a shallow clone` : ''
  return {
    lines: [...stale].map(([{ figure }, reason]) => `${figure}: ${reason}`),
    count: `${all.length} figures: ${standing.length} stand, ${met} of them met; ${stale.size} are stale${untold}`,
  }
}

const root = fileURLToPath(new URL('..', import.meta.url))
const dataFile = join(root, 'bench/results.json')
const readResults = (): Results => JSON.parse(readFileSync(dataFile, 'utf8')) as Results
const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()

/** @throws where what would be measured is no commit */
export function refuseUncommitted(): void {
  const changed = git('status', '--porcelain', '--', ':!bench/results.json', ':!bench/RESULTS.md')
  if (changed) throw new Error(`--keep names the commit that was measured, and there are changes:\n${changed}`)
}

/** Writes figures into the rows that have their name and command. @returns which had none, for people */
export function keepFigures(figures: readonly (Figure & { command: string })[], load: string): string {
  const results = readResults()
  const now = {
    commit: git('rev-parse', '--short=8', 'HEAD'),
    date: new Date().toISOString().slice(0, 10),
    load,
  }
  const without = figures.filter((figure) => !keepIn(results, figure, now))
  writeFileSync(dataFile, `${JSON.stringify(results, null, 2)}\n`)
  const kept = `${figures.length - without.length} of ${figures.length} figures are kept in bench/results.json: npm run record -- results`
  return [kept, ...without.map(({ name, command }) => `  no row says "${name}" by ${command}`)].join('\n')
}

/** @returns whether there was a row for it */
export function keepIn(
  results: Results,
  { name, command, floor, value, told }: Figure & { command: string },
  measured: Pick<Result, 'commit' | 'date' | 'load'>,
): boolean {
  const rows = Object.values(results).flat()
  const row = rows.find((one) => one.figure === name && one.floor === floor && one.command === command)
  if (row)
    Object.assign(row, { values: [Number(value.toPrecision(3))], ...(told ? { told } : {}), ...measured })
  return row !== undefined
}

/** Prints the stale figures of this checkout. */
export function printStale(): void {
  const results = readResults()
  const { lines, count } = staleSummary(results, stalenessOf(root, results))
  process.stdout.write(`${[...lines, count].join('\n')}\n`)
}

if (import.meta.main) {
  const results = readResults()
  const staleness = stalenessOf(root, results)
  const page = pageOf(results, staleness.stale)
  const file = join(root, 'bench/RESULTS.md')
  if (process.argv[2] === '--check') {
    if (withoutStaleness(page) !== withoutStaleness(readFileSync(file, 'utf8'))) {
      process.stderr.write('bench/RESULTS.md is not what bench/results.json says: npm run record -- results\n')
      process.exitCode = 1
    }
    const { count } = staleSummary(results, staleness)
    process.stdout.write(`bench/RESULTS.md: ${count}: npm run bench -- --stale\n`)
  } else writeFileSync(file, page)
}
