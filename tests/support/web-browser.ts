import type { InjectOptions } from 'fastify'
import { storeSecret } from '../../src/domain/accounts/store-secret.ts'
import { cookieSuffixOf } from '../../src/http/sessions/session-shown.ts'
import type { BesideContract, Reply, World } from './world.ts'

/** What a browser does with cookies, for tests without one: it keeps those it is given and sends them along. */
export class WebBrowser {
  readonly #world: Pick<World, 'request'>
  readonly #headers: Record<string, string>
  readonly cookies = new Map<string, string>()
  /** The last `Set-Cookie` of each cookie, with its flags. */
  readonly flags = new Map<string, string>()

  /** @param headers sent with every request */
  constructor(world: Pick<World, 'request'>, headers: Record<string, string> = {}) {
    this.#world = world
    this.#headers = headers
  }

  /** Any request, as a page of the service sends it unless its headers say otherwise. */
  async ask<Body = BesideContract>(
    method: InjectOptions['method'],
    url: string,
    { headers = {}, payload }: Asked = {},
  ): Promise<Reply<Body>> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await this.#world.request<Body>({
      method,
      url,
      headers: {
        ...(cookie ? { cookie } : {}),
        ...this.#headers,
        'x-rivalscope-page': '1',
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
    } as InjectOptions)
    this.#keep(reply)
    return reply
  }

  async signIn(key: string): Promise<Reply> {
    return this.ask('POST', '/session', { payload: { key } })
  }

  #keep({ headers }: Reply<unknown>): void {
    for (const line of [headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.flags.set(name, line)
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}

/** The name of a cookie of a store: each store has its own, since browsers send a cookie to every port of a host. */
export const cookieName = async (
  { store }: Pick<World, 'store'>,
  name: 'rivalscope_session' | 'rivalscope_sign_in' = 'rivalscope_session',
): Promise<string> => `${name}_${cookieSuffixOf(await storeSecret(store.db))}`

interface Asked {
  headers?: Record<string, string>
  payload?: object | string
}
