import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the last commit on which everything has passed is written, and when that was. */
export const proofFile = '.ci/proven'

/** The last commit on which everything has passed, if this checkout has it, or why it is not known. */
export type Proof = { commit: string; date: Date; inHistory: boolean } | { commit: undefined; unknown: string }

const longestDays = 7

export function proofIn(root: string): Proof {
  const file = join(root, proofFile)
  if (!existsSync(file)) return { commit: undefined, unknown: `there is no ${proofFile}` }
  const text = readFileSync(file, 'utf8').trim()
  const [, commit = '', written = ''] = /^([0-9a-f]{40}) (\S+)$/.exec(text) ?? []
  const date = new Date(written)
  if (Number.isNaN(date.valueOf()))
    return { commit: undefined, unknown: `${proofFile} holds no commit and date, but "${text.slice(0, 60)}"` }
  const git = (...words: string[]) => {
    try {
      execFileSync('git', words, { cwd: root, stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }
  if (!git('cat-file', '-e', `${commit}^{commit}`))
    return {
      commit: undefined,
      unknown: `this checkout has no commit ${commit.slice(0, 12)}, which ${proofFile} names (a shallow one gets it by git fetch --unshallow)`,
    }
  return { commit, date, inHistory: git('merge-base', '--is-ancestor', commit, 'HEAD') }
}

/** A note about a proof that is missing, old, or of another history; undefined for a valid one. */
export function proofNote(proof: Proof, now: Date): string | undefined {
  if (proof.commit === undefined)
    return `NOTHING IS PROVEN: ${proof.unknown}. All tests that take long are run. Run npm run test:all, and commit ${proofFile}.`
  const days = Math.floor((now.valueOf() - proof.date.valueOf()) / 86_400_000)
  if (days >= longestDays)
    return `THE PROOF IS ${days} DAYS OLD: everything passed on ${proof.date.toISOString().slice(0, 10)} the last time. Run npm run test:all, and commit ${proofFile}.`
  if (!proof.inHistory)
    return `THE PROOF IS OF ANOTHER HISTORY: ${proof.commit.slice(0, 12)} is no ancestor of this commit. What differs from it is tried.`
  return undefined
}

/** Without one of these some tests are left out, and their passing proves nothing. */
export const proofPrerequisites: readonly { path: string; without: string }[] = [
  { path: '../shared/data', without: 'the real files (../shared/data)' },
  { path: '/usr/share/postgresql/15/extension/citus.control', without: 'Citus' },
  { path: '/usr/lib/postgresql/15/bin/initdb', without: 'PostgreSQL 15' },
  { path: '/usr/bin/chromium-headless-shell', without: 'Chromium' },
  { path: '/usr/bin/faketime', without: 'faketime' },
  { path: '/usr/bin/ffmpeg', without: 'ffmpeg' },
]
