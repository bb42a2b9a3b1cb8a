import childProcess, { type SpawnOptions } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'

/*
 * Preloaded where the clock is ahead (scripts/test-under.ts): a program that is started with an environment of its own, as PostgreSQL is,
 * has the same clock. A browser has the machine's: with this clock it takes a minute for a page, or crashes.
 */

const clock = Object.fromEntries(
  ['LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)
const isBrowser = (program: string) => /chrom/i.test(basename(program))
const { spawn } = childProcess
const spawnWithClock = (program: string, given?: readonly string[] | SpawnOptions, more?: SpawnOptions) => {
  const [words, options = {}] = Array.isArray(given) ? [given, more] : [[], given as SpawnOptions | undefined]
  if (options.env === undefined && !isBrowser(program)) return spawn(program, words, options)
  const env = { ...(options.env ?? process.env), ...clock }
  if (isBrowser(program)) for (const name of Object.keys(clock)) delete env[name]
  return spawn(program, words, { ...options, env })
}
Object.assign(childProcess, { spawn: spawnWithClock })
syncBuiltinESMExports()
