import { randomUUID } from 'node:crypto'
import type { Dice } from '../../../sample/dice.ts'
import { type Running, start } from '../command-line.ts'
import type { Acknowledged, Raised } from './acknowledged.ts'
import { appOf, appsEach, giveImport, postIds } from './given-files.ts'
import { type Answer, askForRecord, type Call } from './service-client.ts'

export interface LoadOptions {
  call: Call
  dice: Dice
  reported: Acknowledged
  /** Where the files of imports are written: not on the disk that loses its power. */
  folder: string
  /** The location of the store, as options of a command. */
  location: readonly string[]
  /** How many import at once; two when left out. */
  importers?: number
}

/** Clients and imports that write concurrently and record what is acknowledged, until they are stopped. */
export class MixedLoad {
  readonly #options: LoadOptions
  readonly #commands = new Set<Running>()
  readonly #clients: Promise<void>[]
  #stopped = false
  /** Descriptions of failed replies. */
  readonly refused: string[] = []

  constructor(options: LoadOptions) {
    this.#options = options
    const clients = [
      ...Array.from({ length: 3 }, () => () => this.#ask()),
      ...Array.from({ length: 3 }, () => () => this.#askWithKey()),
      () => this.#track(),
      () => this.#note(),
      ...Array.from({ length: options.importers ?? 2 }, () => () => this.#import()),
    ]
    this.#clients = clients.map((client) => client().catch(() => {}))
  }

  /** From now on nothing counts as acknowledged. Commands end with the power as well. */
  stop(): void {
    this.#stopped = true
    for (const { child } of this.#commands) child.kill('SIGKILL')
  }

  async ended(): Promise<void> {
    await Promise.all(this.#clients)
  }

  async #ask(): Promise<void> {
    const { call, dice, reported } = this.#options
    while (!this.#stopped) {
      const storeId = String(1_000_000 + dice.between(0, 199))
      await this.#raise(reported.requests, storeId, () => askForRecord(call, storeId))
    }
  }

  async #askWithKey(): Promise<void> {
    const { call, dice, reported } = this.#options
    while (!this.#stopped) {
      const write = { storeId: String(2_000_000 + dice.between(0, 199)), answered: false }
      const key = randomUUID()
      reported.keyed.set(key, write)
      if (this.#succeeded(await askForRecord(call, write.storeId, key))) write.answered = true
    }
  }

  async #track(): Promise<void> {
    const { call, reported } = this.#options
    const brought = reported.imports.filter(({ kind, done }) => kind === 'catalogue' && done)
    const apps = brought.flatMap(({ number }) =>
      Array.from({ length: appsEach }, (_, index) => appOf(number, index)),
    )
    for (const app of apps) {
      if (this.#stopped) return
      if (reported.tracked.has(app)) continue
      reported.tracked.set(app, undefined)
      const answer = await call('POST', '/v1/aso/apps', { app, role: 'own' })
      if (this.#succeeded(answer)) reported.tracked.set(app, answer.body.appId)
    }
  }

  async #note(): Promise<void> {
    const { call, dice, reported } = this.#options
    while (!this.#stopped) {
      const post = dice.pick(postIds)
      await this.#raise(reported.notes, post, (note) =>
        call('POST', `/v1/organic/${post}/saved`, { note: String(note) }),
      )
    }
  }

  async #import(): Promise<void> {
    const { reported, folder, location } = this.#options
    while (!this.#stopped) {
      const given = giveImport(folder, reported.imports.length)
      reported.imports.push(given)
      await using command = start(['import', ...given.arguments, ...location], { cwd: folder })
      this.#commands.add(command)
      const { code, err } = await command.ended
      this.#commands.delete(command)
      if (this.#stopped) return
      if (code === 0) given.done = true
      else this.refused.push(`import: ${code} ${err}`)
    }
  }

  async #raise(
    counts: Map<string, Raised>,
    name: string,
    raise: (next: number) => Promise<Answer>,
  ): Promise<void> {
    const count = counts.get(name) ?? { reported: 0, sent: 0 }
    counts.set(name, count)
    count.sent++
    if (this.#succeeded(await raise(count.sent))) count.reported++
  }

  #succeeded({ status, body }: Answer): boolean {
    if (this.#stopped) return false
    if (status >= 300) this.refused.push(`${status} ${body?.code}`)
    return status < 300
  }
}
