import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Answer, Call } from './power/service-client.ts'
import { until } from './until.ts'

interface Sent {
  method: string
  path: string
  headers?: Record<string, string>
  body?: object | undefined
}

interface Heard extends Answer {
  headers: Headers
  text: string
}

/** A request that was not answered, or refused for now, and was sent again. */
export interface Interruption {
  /** What was done to the installation when it was sent and when that was heard. */
  during: string[]
  address: string
  heard: string
}

/**
 * Several services behind a balancer, and clients as the guides want them: one that gets no answer, or is told that the
 * service is unavailable, sends the same again to the next service.
 */
export class Balancer implements Disposable {
  readonly #addresses: readonly string[]
  readonly #answered = new Map<string, number>()
  /** The answer to each `Idempotency-Key`. */
  readonly #answers = new Map<string, string>()
  #turn = 0
  #during = 'nothing'
  #isGone = false
  readonly interruptions: Interruption[] = []
  /** What should not have been answered. */
  readonly strange: unknown[] = []

  constructor(addresses: readonly string[]) {
    this.#addresses = addresses
  }

  /** From now on no client asks any more. */
  [Symbol.dispose](): void {
    this.#isGone = true
  }

  /** How many requests were answered. */
  get answered(): number {
    return this.#answered.values().reduce((sum, count) => sum + count, 0)
  }

  /** Does something to the installation, and waits until all services answer reads again. */
  async during(what: string, perform: () => Promise<void>): Promise<void> {
    this.#during = what
    await perform()
    await this.goesOn()
    this.#during = 'nothing'
  }

  /** Waits until each service has answered some more requests. @throws AssertionError where one was answered as it should not have been */
  async goesOn(): Promise<void> {
    const before = new Map(this.#answered)
    await until(
      async () =>
        this.#addresses.map((address) => (this.#answered.get(address) ?? 0) - (before.get(address) ?? 0)),
      (more) => more.every((count) => count > 20),
    )
    assert.deepEqual(this.strange.slice(0, 5), [])
  }

  /** Sends a request until it is answered, to the services in turn. @throws Error once this is disposed */
  async send(sent: Sent): Promise<Heard> {
    for (let each = this.#turn++; ; each++) {
      if (this.#isGone) throw new Error('The services are gone.')
      const address = this.#addresses[each % this.#addresses.length] ?? ''
      const during = [this.#during]
      const heard = await sendTo(address, sent)
      if (typeof heard !== 'string') {
        this.#answered.set(address, (this.#answered.get(address) ?? 0) + 1)
        return heard
      }
      this.interruptions.push({ during: [...during, this.#during], address, heard })
      await setTimeout(100)
    }
  }

  /**
   * A client with an API key, for whom nothing is expected to fail. What it writes has an `Idempotency-Key`, each third request is
   * sent once more after it was answered, and every answer under a key has to be that of the first time.
   */
  callAs(apiKey: string): Call {
    let written = 0
    return async (method, path, body, more = {}) => {
      const key = method === 'POST' ? (more['idempotency-key'] ?? randomUUID()) : undefined
      const headers = {
        authorization: `Bearer ${apiKey}`,
        ...(key !== undefined && { 'idempotency-key': key }),
      }
      const heard = await this.send({ method, path, headers, body })
      if (heard.status >= 300) this.strange.push(`${method} ${path}: ${heard.status} ${heard.text}`)
      if (key === undefined) return heard
      this.#compare(key, heard)
      if (written++ % 3 === 0) this.#compare(key, await this.send({ method, path, headers, body }))
      return heard
    }
  }

  #compare(key: string, { status, text }: Heard): void {
    const answer = `${status} ${text}`
    const first = this.#answers.get(key) ?? answer
    this.#answers.set(key, first)
    if (answer !== first) this.strange.push(`answered under one key: ${first} and then ${answer}`)
  }
}

/** @returns a text where it is worth sending again */
async function sendTo(address: string, { method, path, headers, body }: Sent): Promise<Heard | string> {
  let heard: Heard
  try {
    const response = await fetch(address + path, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    heard = {
      status: response.status,
      headers: response.headers,
      text,
      body: text ? JSON.parse(text) : undefined,
    }
  } catch {
    return 'no answer'
  }
  const { status, body: reply } = heard
  if (status === 503) return `${reply.code}, again after ${heard.headers.get('retry-after')} seconds`
  if (status === 409 && reply.code === 'already-running') return reply.code
  return heard
}
