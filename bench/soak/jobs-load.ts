import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Dice } from '../../sample/dice.ts'
import { connectMcp } from '../../tests/support/mcp.ts'
import type { Acknowledged } from '../../tests/support/power/acknowledged.ts'
import type { Ask } from '../../tests/support/power/amcheck.ts'
import type { Call } from '../../tests/support/power/service-client.ts'

/** Import runs of ads that were acknowledged, with the ads of each, and posts whose media have to be kept. */
export class AcknowledgedJobs {
  readonly runs = new Map<string, string[]>()
  readonly searched = new Set<string>()
  readonly saved = new Set<string>()
  calls = 0
}

export interface JobsLoadOptions {
  call: Call
  address: string
  key: string
  dice: Dice
  reported: Acknowledged
  jobs: AcknowledgedJobs
  /** Ids of posts with media, which nobody has saved. */
  posts: readonly string[]
  /** Hears of every reply that is no success. */
  refused: (what: string) => void
}

const adsEach = 5
let nextAd = 0

/** Clients that ask for work, and agents, until they are stopped. */
export class JobsLoad {
  readonly #options: JobsLoadOptions
  readonly #clients: Promise<void>[]
  #stopped = false

  constructor(options: JobsLoadOptions) {
    this.#options = options
    this.#clients = [this.#importAds(), this.#search(), this.#save(), this.#agent()]
  }

  stop(): void {
    this.#stopped = true
  }

  async ended(): Promise<void> {
    await Promise.all(this.#clients)
  }

  async #importAds(): Promise<void> {
    const { call, jobs } = this.#options
    while (!this.#stopped) {
      const ids = Array.from({ length: adsEach }, () => String(700_000_000_000_000 + nextAd++))
      const records = ids.map((id) => ({
        id,
        page_id: '12',
        page_name: 'Soak',
        ad_creative_bodies: [`Ad ${id}`],
        ad_delivery_start_time: '2026-03-01',
      }))
      const { status, body } = await call('POST', '/v1/admin/paid-ads/imports', { platform: 'meta', records })
      if (this.#succeeded(status, body)) jobs.runs.set(body.runId, ids)
      await setTimeout(300)
    }
  }

  async #search(): Promise<void> {
    const { call, dice, jobs } = this.#options
    while (!this.#stopped) {
      const term = `soak ${dice.between(0, 5_000)}`
      const { status, body } = await call('POST', `/v1/aso/keywords/${encodeURIComponent(term)}/refresh`, {})
      if (this.#succeeded(status, body)) jobs.searched.add(term)
      await setTimeout(500)
    }
  }

  async #save(): Promise<void> {
    const { call, jobs, posts } = this.#options
    for (const post of posts) {
      if (this.#stopped) return
      const { status, body } = await call('POST', `/v1/organic/${post}/saved`, { note: 'soak' })
      if (this.#succeeded(status, body)) jobs.saved.add(post)
      await setTimeout(1_500)
    }
  }

  async #agent(): Promise<void> {
    const { address, key, dice, reported, jobs } = this.#options
    while (!this.#stopped) {
      try {
        await using agent = await connectMcp(address, key)
        for (let turn = 0; turn < 20 && !this.#stopped; turn++) {
          const storeId = String(3_000_000 + dice.between(0, 99))
          const count = reported.requests.get(storeId) ?? { reported: 0, sent: 0 }
          reported.requests.set(storeId, count)
          count.sent++
          const { failed } = await agent.call('request_competitor_data', { storeId, kinds: ['record'] })
          if (!failed && !this.#stopped) count.reported++
          jobs.calls++
        }
      } catch {
        // The service is away: what was sent is not acknowledged.
        await setTimeout(200)
      }
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: a reply of any operation
  #succeeded(status: number, body: any): boolean {
    if (this.#stopped) return false
    if (status >= 300) this.#options.refused(`${status} ${body?.code}`)
    return status < 300
  }
}

/** Waits until no work is left, and compares. @returns what is wrong */
export async function compareJobs(
  jobs: AcknowledgedJobs,
  call: Call,
  ask: Ask,
  seconds: number,
): Promise<string[]> {
  const open = () =>
    ask<{ kind: string; subject: string; status: string }>(
      `select kind, subject, status from work where finished_at is null`,
    )
  let left = await open()
  for (
    const deadline = Date.now() + seconds * 1000;
    left.length > 0 && Date.now() < deadline;
    left = await open()
  )
    await setTimeout(1_000)
  const wrong = left.slice(0, 5).map((work) => `stuck: ${JSON.stringify(work)}`)
  const failed = await ask<{ kind: string; count: number; example: string }>(
    `select kind, count(*)::int, min(subject) as example from work where status = 'failed' group by 1`,
  )
  wrong.push(...failed.map((work) => `failed: ${JSON.stringify(work)}`))
  for (const [runId, ids] of jobs.runs) {
    const { body } = await call('GET', `/v1/admin/paid-ads/imports/${runId}`)
    if (body?.status?.status !== 'succeeded' && body?.status !== 'succeeded')
      wrong.push(`run ${runId}: ${JSON.stringify(body).slice(0, 300)}`)
    const [found] = await ask<{ ads: number }>(
      `select count(*)::int as ads from ads where archive_id in (${ids.map((id) => `'${id}'`).join()})`,
    )
    if (found?.ads !== ids.length) wrong.push(`run ${runId}: ${found?.ads} of ${ids.length} ads`)
  }
  jobs.runs.clear()
  for (const term of jobs.searched) {
    const { body } = await call('GET', `/v1/aso/keywords/${encodeURIComponent(term)}`)
    if (!body?.refresh?.finishedAt) wrong.push(`search of ${term}: ${JSON.stringify(body?.refresh)}`)
  }
  jobs.searched.clear()
  for (const post of jobs.saved) {
    const { body } = await call('GET', `/v1/organic/${post}`)
    const statuses = body?.media?.map(({ kept }: { kept: { status: string } }) => kept.status)
    if (statuses?.join() !== 'stored') wrong.push(`media of ${post}: ${statuses}`)
  }
  jobs.saved.clear()
  return wrong
}

/** Writes posts with one picture each. @returns the file and their ids */
export function giveMediaPosts(folder: string, round: number, count: number): { path: string; ids: string[] } {
  const ids = Array.from({ length: count }, (_, index) => `instagram_${9_000_000 + round * 1_000 + index}`)
  const posts = ids.map((postId) => ({
    postId,
    url: `https://www.instagram.com/p/${postId}/`,
    text: `Post ${postId}`,
    media: [{ kind: 'image', url: `https://media.fbcdn.net/${postId}.png` }],
    observedAt: '2026-03-01T00:00:00Z',
  }))
  const path = join(folder, `media-posts-${round}.ndjson`)
  writeFileSync(path, `${posts.map((post) => JSON.stringify(post)).join('\n')}\n`)
  return { path, ids }
}
