import { setTimeout } from 'node:timers/promises'
import type { InjectOptions } from 'fastify'
import type { Balancer } from './balancer.ts'
import { WebBrowser } from './web-browser.ts'
import type { Answer, Reply } from './world.ts'

/* What clients of several services do at once. Each asks until it is told to stop, and tells the balancer what is strange. */

interface SavedItem {
  note: string
  post: { postId: string }
}

/** Saves posts of its own and takes some back, and looks for each through the service whose turn is next. */
export async function readsWhatItWrote(
  balancer: Balancer,
  key: string,
  posts: readonly string[],
  stopped: AbortSignal,
): Promise<Map<string, string>> {
  const call = balancer.callAs(key)
  const saved = new Map<string, string>()
  for (let round = 0; !stopped.aborted; round++) {
    const postId = posts[round % posts.length] ?? ''
    const path = `/v1/organic/${postId}/saved`
    if (round % 4 === 3) {
      const { status } = await balancer.send({
        method: 'DELETE',
        path,
        headers: { authorization: `Bearer ${key}` },
      })
      if (status !== 204) balancer.strange.push(`${postId} was not taken back: ${status}`)
      saved.delete(postId)
    } else {
      saved.set(postId, String(round))
      await call('POST', path, { note: String(round) })
    }
    const { body } = await call('GET', '/v1/organic/saved?limit=100')
    const items: SavedItem[] = body.items ?? []
    const found = items.find(({ post }) => post.postId === postId)?.note
    if (found !== saved.get(postId))
      balancer.strange.push(`round ${round}: ${postId} has ${found}, and was given ${saved.get(postId)}`)
  }
  return saved
}

/** Asks for searches, one keyword after the other under a key each, and looks for the work. @returns the keywords */
export async function refreshesKeywords(
  balancer: Balancer,
  key: string,
  stopped: AbortSignal,
): Promise<string[]> {
  const call = balancer.callAs(key)
  const keywords: string[] = []
  while (!stopped.aborted) {
    const keyword = `chat ${keywords.length}`
    const path = `/v1/aso/keywords/${encodeURIComponent(keyword)}`
    keywords.push(keyword)
    await call('POST', `${path}/refresh`, { country: 'us' }, { 'idempotency-key': path })
    const { body } = await call('GET', path)
    if (!body.refresh) balancer.strange.push(`the refresh of ${keyword} is not there`)
    await setTimeout(100)
  }
  return keywords
}

/** Reads what is remembered and what is made anew; the second page of a list from another service than the first. */
export async function reads(
  balancer: Balancer,
  key: string,
  paths: readonly string[],
  stopped: AbortSignal,
): Promise<void> {
  const call = balancer.callAs(key)
  for (let round = 0; !stopped.aborted; round++) {
    const path = paths[round % paths.length] ?? ''
    const { nextCursor } = (await call('GET', path)).body
    if (nextCursor) await call('GET', `${path}&cursor=${encodeURIComponent(nextCursor)}`)
  }
}

/** Asks more often than its account may. @returns how many requests were served and refused, and what its refusals said */
export async function asksTooOften(
  balancer: Balancer,
  key: string,
  stopped: AbortSignal,
): Promise<{ served: number; refused: number }> {
  let [served, refused] = [0, 0]
  while (!stopped.aborted) {
    const { status, headers, text } = await balancer.send({
      method: 'GET',
      path: '/v1/aso/apps',
      headers: { authorization: `Bearer ${key}` },
    })
    if (status === 200) served++
    else if (status === 429 && Number(headers.get('retry-after')) > 0) refused++
    else balancer.strange.push(`more often than it may: ${status} ${text}`)
    await setTimeout(50)
  }
  return { served, refused }
}

/** A browser that keeps the cookie of whichever service it was sent to. */
export const browserOf = (balancer: Balancer): WebBrowser =>
  new WebBrowser({
    async request<Body>({ method = 'GET', url, headers, payload }: InjectOptions) {
      const sent = { method, path: String(url), headers: headers as Record<string, string> }
      const heard = await balancer.send({ ...sent, body: payload as object | undefined })
      const cookies = heard.headers.getSetCookie()
      const headersHeard = cookies.length > 0 ? { 'set-cookie': cookies.join() } : {}
      return { ...heard, headers: headersHeard } as Reply<Body>
    },
  })

/** A person at the pages: reads, and saves a post, in the session that the browser has. */
export async function usesPages(
  balancer: Balancer,
  browser: WebBrowser,
  postId: string,
  stopped: AbortSignal,
): Promise<void> {
  for (let round = 0; !stopped.aborted; round++) {
    const session = await browser.ask('GET', '/session')
    if (session.body.signedIn !== true) balancer.strange.push(`signed out: ${JSON.stringify(session.body)}`)
    const payload = { note: `from the pages ${round}` }
    const saved = await browser.ask('POST', `/v1/organic/${postId}/saved`, { payload })
    const { body } = await browser.ask<Answer<'list_saved_organic_content'>>('GET', '/v1/organic/saved')
    if (saved.status >= 300 || body.items?.[0]?.note !== payload.note)
      balancer.strange.push(`pages: ${saved.status}, and then ${JSON.stringify(body.items?.[0]?.note)}`)
  }
}
