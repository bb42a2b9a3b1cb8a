/** An import that was started in this browser: the contract lists none. */
export interface RecentRun {
  runId: string
  /** The query, as text. */
  what: string
  startedAt: string
}

const mostRemembered = 50
const keyOf = (account: string) => `rivalscope.imports.${account}`

/** The newest first. */
export function recentRuns(account: string): RecentRun[] {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(account)) ?? '[]') as unknown
    return Array.isArray(kept) ? kept.filter(isRun) : []
  } catch {
    return []
  }
}

export function rememberRun(account: string, run: RecentRun): void {
  const others = recentRuns(account).filter(({ runId }) => runId !== run.runId)
  localStorage.setItem(keyOf(account), JSON.stringify([run, ...others].slice(0, mostRemembered)))
}

const isRun = (value: unknown): value is RecentRun => {
  const run = value as Partial<RecentRun> | null
  return typeof run?.runId === 'string' && typeof run.what === 'string' && typeof run.startedAt === 'string'
}
