import { execFileSync } from 'node:child_process'

/** There is no such commit to compare with; the message says what to do. */
export class NoSuchCommit extends Error {}

/** What has changed since a commit, committed or not. */
export interface Changes {
  /** The commit itself, in full. */
  since: string
  /** Changed, new and deleted files, from the root. A renamed one is there under both names. */
  changed: string[]
  /** All files of the repository, those that were deleted as well; none that git ignores. */
  all: ReadonlySet<string>
}

/** @throws NoSuchCommit */
export function changesSince(root: string, commit: string): Changes {
  const git = gitIn(root)
  const since = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`)?.trim()
  if (!since)
    throw new NoSuchCommit(
      `There is no commit "${commit}" in this checkout. Name another one, or fetch it: git fetch --unshallow.`,
    )
  const list = (...words: string[]) => (git(...words) ?? '').split('\0').filter((name) => name !== '')
  const unknown = list('ls-files', '-z', '--others', '--exclude-standard')
  const changed = [...new Set([...list('diff', '-z', '--name-only', '--no-renames', since), ...unknown])]
  return { since, changed: changed.sort(), all: new Set([...list('ls-files', '-z'), ...changed]) }
}

/** Where the work on this branch began: what it has in common with the branch it goes to, or else the last commit. */
export function beginningOfWork(root: string): string {
  const git = gitIn(root)
  for (const branch of ['@{upstream}', 'origin/HEAD', 'origin/main']) {
    const common = git('merge-base', 'HEAD', branch)?.trim()
    if (common) return common
  }
  return 'HEAD'
}

/** @returns a function that answers what git prints, or undefined where git refuses */
function gitIn(root: string) {
  return (...words: string[]): string | undefined => {
    try {
      return execFileSync('git', words, {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        maxBuffer: 1 << 26,
      })
    } catch {
      return undefined
    }
  }
}
