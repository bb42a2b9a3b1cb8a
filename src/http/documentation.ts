import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { hashedFiles, sendCompressed } from './built-files.ts'
import { refuseOtherMethods } from './operations.ts'
import { page } from './reference/page.ts'
import { contentPolicy } from './reference.ts'

export interface DocumentationOptions {
  /** Directory of the built pages; dist/docs when left out. */
  directory?: string | undefined
  /** Builds missing or outdated pages once, at the first request for one; never when left out. @throws when building fails */
  build?: (() => Promise<void>) | undefined
}

/**
 * Serves the documentation as built by `npm run docs`: its pages below `/docs/`, beside the reference, and its files at
 * `/docs/site/`. Works without internet, as the reference does, and under the same policy. It may be built and rebuilt while
 * it is served: until the first build has ended, a page says so and reloads itself.
 */
export async function documentationRoutes(
  app: FastifyInstance,
  options: DocumentationOptions = {},
): Promise<void> {
  const { directory = builtSite, build } = options
  let state: 'unbuilt' | 'building' | 'built' | Error = 'unbuilt'
  const begin = () => {
    if (!build || state !== 'unbuilt') return
    state = 'building'
    build().then(
      () => {
        state = 'built'
      },
      (error: unknown) => {
        state = error instanceof Error ? error : new Error(String(error))
        app.log.warn({ reason: state.message }, 'the documentation cannot be built')
      },
    )
  }
  await hashedFiles(app, `${directory}/site`, '/docs/site/')
  app.get('/docs', (_request, reply) => reply.redirect('/docs/', 308))
  app.get('/docs/*', async (request, reply) => {
    const { '*': path } = request.params as { '*': string }
    begin()
    const file = pageFile(path)
    const page = file && (await read(`${directory}/${file}`))
    reply.headers(pageHeaders)
    if (page) return sendCompressed(request, reply, page)
    if (state === 'building' && !(await read(`${directory}/index.html`)))
      return sendCompressed(request, reply.status(503).header('retry-after', askAgainSeconds), beingBuilt)
    if (state instanceof Error) return sendCompressed(request, reply.status(503), unbuildable(state.message))
    return sendCompressed(request, reply.status(404), (await read(`${directory}/404.html`)) ?? unbuiltPage)
  })
  for (const path of ['/docs', '/docs/*']) refuseOtherMethods(app, path, ['GET'])
}

const builtSite = fileURLToPath(new URL('dist/docs', import.meta.resolve('rivalscope/package.json')))

const askAgainSeconds = 3

const insteadOfPage = (content: string, refresh?: { seconds: number }) =>
  Buffer.from(
    page({
      title: 'Documentation',
      styles: ['reference.css'],
      ...(refresh ? { refreshSeconds: refresh.seconds } : {}),
      content: `<main class="text">
<h1>Documentation</h1>
${content}
<p><a href="/docs/reference">The reference</a> of the operations is here in any case, and so are <a href="/docs/problems">the problems</a>.</p>
</main>`,
    }),
  )

const sameTexts = 'The same texts are the files in <code>docs</code>.'

const unbuiltPage = insteadOfPage(
  `<p>It has not been built here: <code>npm run docs</code> builds it, in the folder of the project, and no restart is needed. ${sameTexts}</p>`,
)

const beingBuilt = insteadOfPage(
  `<p role="status">It is being built, once, which takes about a minute. This page shows it as soon as it is there. ${sameTexts}</p>`,
  { seconds: askAgainSeconds },
)

const unbuildable = (reason: string) =>
  insteadOfPage(`<p>It could not be built:</p>
<pre>${escaped(reason)}</pre>
<p>Once that is mended, <code>npm run docs</code> builds it, and no restart is needed. ${sameTexts}</p>`)

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  vary: 'Accept-Encoding',
  'content-security-policy': contentPolicy,
  'cache-control': 'no-cache',
  'referrer-policy': 'same-origin',
}

/** The file of a page: addresses have no extensions, and folders have an index page. Undefined for an invalid address. */
function pageFile(path: string): string | undefined {
  if (path === '') return 'index.html'
  if (!/^[a-z0-9-]+(?:\/[a-z0-9-]+)*\/?$/.test(path)) return undefined
  return path.endsWith('/') ? `${path}index.html` : `${path}.html`
}

/** Reads a file; undefined where there is none. */
const read = (file: string): Promise<Buffer | undefined> => readFile(file).catch(() => undefined)
