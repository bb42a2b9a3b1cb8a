import childProcess, { type SpawnOptions } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

/*
 * Preloaded where the clock is ahead (scripts/test-under.ts): a program that is started with an environment of its own, as PostgreSQL is,
 * has the same clock.
 */

const clock = Object.fromEntries(
  ['LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)
const { spawn } = childProcess
const spawnWithClock = (program: string, given?: readonly string[] | SpawnOptions, more?: SpawnOptions) => {
  const [words, options = {}] = Array.isArray(given) ? [given, more] : [[], given as SpawnOptions | undefined]
  return spawn(program, words, options.env ? { ...options, env: { ...clock, ...options.env } } : options)
}
Object.assign(childProcess, { spawn: spawnWithClock })
syncBuiltinESMExports()
