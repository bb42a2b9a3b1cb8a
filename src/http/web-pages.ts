import { createHash, randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../api/problem.ts'
import { hashedFiles, sendCompressed } from './built-files.ts'
import { refuseOtherMethods } from './operations.ts'

/** Path prefixes of the pages of the app. The app routes the paths below; the server answers all of them with the same shell. */
export const pagePrefixes = [
  '/apps',
  '/charts',
  '/emerging',
  '/creatives',
  '/aso',
  '/admin',
  '/alerts',
  '/settings',
  '/start',
  '/sign-in',
] as const

/** Where pages are that people look for under another word: the address leads there, with what follows it. */
const otherWords = {
  '/ads': '/creatives/ads',
  '/competitors': '/apps',
  '/home': '/',
  '/imports': '/admin/imports',
  '/keywords': '/aso/keywords',
  '/library': '/creatives/ads',
  '/posts': '/creatives/posts',
  '/report': '/alerts/report',
  '/saved': '/creatives/saved',
  '/search': '/apps',
} as const

export interface WebPagesOptions {
  /** Directory of the built app; dist/web when left out. It may be built and rebuilt while it is served. */
  directory?: string | undefined
  /** Hosts, including subdomains, from which the pages may load pictures and videos; none when left out. */
  pictureHosts?: readonly string[] | undefined
  /** The session of the browser, and the other data a page needs before its first request; null when signed out. */
  sessionOf?: (request: FastifyRequest) => Promise<unknown>
}

/** Sends the shell of the app. @returns false, with nothing sent, where the app is not built */
export type SendShell = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>

/** Serves the app as built by `npm run build`: its files at `/assets`, and its one page at every address of a page. */
export async function webPages(app: FastifyInstance, options: WebPagesOptions): Promise<SendShell> {
  const { directory = builtApp, pictureHosts = [], sessionOf = async () => null } = options
  await hashedFiles(app, `${directory}/assets`, '/assets/')
  const shell = new Shell(`${directory}/index.html`, pictureHosts)
  const sendShell: SendShell = async (request, reply) => {
    const built = await shell.read()
    if (!built) return false
    const nonce = randomBytes(16).toString('base64url')
    const page = Buffer.from(built.page(await sessionOf(request), nonce))
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache, private',
      vary: 'Accept, Accept-Encoding, Authorization, Cookie',
      'content-security-policy': built.policy(nonce),
      'referrer-policy': 'same-origin',
      'permissions-policy': permissions,
    })
    sendCompressed(request, reply, page)
    // Not the reply: awaiting a sent reply gives nothing.
    return true
  }
  for (const [word, page] of Object.entries(otherWords))
    for (const url of [word, `${word}/*`]) {
      app.get(url, async (request, reply) =>
        // Nothing follows the root: what begins with two strokes would be another host.
        reply.redirect(page === '/' ? page : page + request.url.slice(word.length)),
      )
      refuseOtherMethods(app, url, ['GET'])
    }
  for (const prefix of pagePrefixes)
    for (const url of [prefix, `${prefix}/*`]) {
      app.get(url, async (request, reply) => ((await sendShell(request, reply)) ? reply : refuseUnbuilt()))
      refuseOtherMethods(app, url, ['GET'])
    }
  return sendShell
}

const builtApp = fileURLToPath(new URL('dist/web', import.meta.resolve('rivalscope/package.json')))

function refuseUnbuilt(): never {
  throw new Problem('route-not-found', 'The web pages have not been built here: run `npm run build`.')
}

/** The built page, split around the place of the session. */
interface BuiltShell {
  page: (session: unknown, nonce: string) => string
  policy: (nonce: string) => string
}

/** The app's index.html, read again after a rebuild. */
class Shell {
  readonly #file: string
  readonly #pictureHosts: readonly string[]
  #read: { version: string; built: BuiltShell } | undefined

  constructor(file: string, pictureHosts: readonly string[]) {
    this.#file = file
    this.#pictureHosts = pictureHosts
  }

  /** The current shell; undefined where the app is not built. */
  async read(): Promise<BuiltShell | undefined> {
    const found = await stat(this.#file).catch(() => undefined)
    if (!found) return undefined
    const version = `${found.ino} ${found.mtimeMs} ${found.size}`
    if (this.#read?.version !== version)
      this.#read = { version, built: shellOf(await readFile(this.#file, 'utf8'), this.#pictureHosts) }
    return this.#read.built
  }
}

/** The placeholder for the nonce that the component library gives its own style rules. */
const noncePlace = '{{nonce}}'
const sessionPlace = '<script id="session" type="application/json">null</script>'

function shellOf(html: string, pictureHosts: readonly string[]): BuiltShell {
  const [before, after] = html.split(sessionPlace)
  if (before === undefined || after === undefined)
    throw new Error(`The index.html of the web pages does not hold ${sessionPlace}`)
  const styles = [...html.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, style = '']) => style)
  return {
    page: (session, nonce) =>
      before.replace(noncePlace, nonce) + sessionPlace.replace('null', () => scriptSafe(session)) + after,
    policy: (nonce) => contentPolicy(styles, nonce, pictureHosts),
  }
}

/** JSON that cannot end the script element: it contains untrusted text. */
const scriptSafe = (value: unknown): string =>
  JSON.stringify(value ?? null).replace(
    /[<>&\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/**
 * Everything comes from this origin, except for pictures where the operator allows it. Of inline styles, those of the page
 * itself are allowed by their hash, and those of its component library by a nonce that is new in each response.
 */
function contentPolicy(styles: readonly string[], nonce: string, pictureHosts: readonly string[]): string {
  const elsewhere = pictureHosts.flatMap((host) => [`https://${host}`, `https://*.${host}`])
  return [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", `'nonce-${nonce}'`, ...styles.map((style) => `'sha256-${sha256(style)}'`)].join(' '),
    ["img-src 'self' data: blob:", ...elsewhere].join(' '),
    ["media-src 'self' blob:", ...elsewhere].join(' '),
    "font-src 'self'",
    "connect-src 'self'",
    // The weekly report, which is a page of its own.
    "frame-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64')

/** Browser features that the pages never use. */
const permissions = [
  ...['accelerometer', 'browsing-topics', 'camera', 'display-capture', 'geolocation', 'gyroscope'],
  ...['magnetometer', 'microphone', 'midi', 'payment', 'serial', 'usb'],
]
  .map((feature) => `${feature}=()`)
  .join(', ')
