import type { Pool, PoolClient } from 'pg'

/** Keeps what is sent over the connections of a pool. */
export class SentStatements {
  #sent: string[] | undefined
  readonly #seen = new WeakSet<PoolClient>()

  constructor(pool: Pool) {
    pool.on('acquire', (client) => this.#watch(client))
  }

  /** @returns the texts of the statements that an action sent, in their order */
  async of(perform: () => Promise<unknown>): Promise<string[]> {
    const sent: string[] = []
    this.#sent = sent
    try {
      await perform()
    } finally {
      this.#sent = undefined
    }
    return sent
  }

  #watch(client: PoolClient): void {
    if (this.#seen.has(client)) return
    this.#seen.add(client)
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    client.query = ((...given: unknown[]) => {
      const [asked] = given
      const text = typeof asked === 'string' ? asked : Object(asked).text
      if (typeof text === 'string') this.#sent?.push(text)
      return query(...given)
    }) as typeof client.query
  }
}
