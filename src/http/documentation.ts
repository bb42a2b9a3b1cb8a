import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { sendCompressed } from './compressed.ts'
import { hashedFiles } from './hashed-files.ts'
import { refuseOtherMethods } from './operations.ts'
import { page } from './reference/page.ts'
import { contentPolicy } from './reference.ts'

/**
 * The documentation as `npm run docs` built it: its pages below `/docs/`, beside the reference, and its files at `/docs/site/`. Works
 * without internet, as the reference does, and under the same policy. It may be built, and built anew, while it is served.
 * @param directory where it lies; dist/docs when left out
 */
export async function documentation(app: FastifyInstance, directory = builtSite): Promise<void> {
  await hashedFiles(app, `${directory}/site`, '/docs/site/')
  app.get('/docs', (_request, reply) => reply.redirect('/docs/', 308))
  app.get('/docs/*', async (request, reply) => {
    const { '*': path } = request.params as { '*': string }
    const file = pageFile(path)
    const page = file && (await read(`${directory}/${file}`))
    reply.headers(pageHeaders)
    if (page) return sendCompressed(request, reply, page)
    return sendCompressed(request, reply.status(404), (await read(`${directory}/404.html`)) ?? unbuiltPage)
  })
  for (const path of ['/docs', '/docs/*']) refuseOtherMethods(app, path, ['GET'])
}

const builtSite = fileURLToPath(new URL('dist/docs', import.meta.resolve('rivalscope/package.json')))

const unbuiltPage = Buffer.from(
  page({
    title: 'Documentation',
    styles: ['reference.css'],
    content: `<main class="text">
<h1>Documentation</h1>
<p>It has not been built here: <code>npm run docs</code> builds it, in the folder of the project, and no restart is needed. The same texts
are the files in <code>docs</code>.</p>
<p><a href="/docs/reference">The reference</a> of the operations is here in any case, and so are <a href="/docs/problems">the problems</a>.</p>
</main>`,
  }),
)

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  vary: 'Accept-Encoding',
  'content-security-policy': contentPolicy,
  'cache-control': 'no-cache',
  'referrer-policy': 'same-origin',
}

/** The file of a page: addresses have no endings, and folders have a first page. Undefined where there can be none. */
function pageFile(path: string): string | undefined {
  if (path === '') return 'index.html'
  if (!/^[a-z0-9-]+(?:\/[a-z0-9-]+)*\/?$/.test(path)) return undefined
  return path.endsWith('/') ? `${path}index.html` : `${path}.html`
}

/** Undefined where there is no such file. */
const read = (file: string): Promise<Buffer | undefined> => readFile(file).catch(() => undefined)
