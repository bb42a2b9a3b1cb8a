import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { openApiDocument } from './openapi.ts'
import { page } from './reference/page.ts'
import { problemsPage } from './reference/problems-page.ts'

/**
 * The API reference: the OpenAPI document as JSON and YAML, its viewer at `/docs/reference`, and the problems page. Works
 * without internet: every byte comes from this origin, and the pages forbid anything else.
 */
export async function reference(app: FastifyInstance): Promise<void> {
  // Written at the first request: each takes a tenth of a second, which would delay the start of the service.
  let json: string | undefined
  app.get('/openapi.json', (_request, reply) => {
    json ??= JSON.stringify(openApiDocument())
    return reply.type('application/json').send(json)
  })
  let yaml: string | undefined
  app.get('/openapi.yaml', async (_request, reply) => {
    const { stringify } = await import('yaml')
    yaml ??= stringify(openApiDocument(), { aliasDuplicateObjects: false })
    return reply.type('application/yaml').send(yaml)
  })

  app.get('/docs/reference', (_request, reply) => sendPage(reply, viewerPage))
  app.get('/docs/problems', (_request, reply) => sendPage(reply, problemsPage))

  await app.register(fastifyStatic, {
    root: [...new Set([ourAssets, viewerAssets])],
    prefix: '/docs/assets/',
    allowedPath: (path) => assets.has(path),
    decorateReply: false,
    index: false,
  })
}

/** The files the pages load. Other files of the viewer's package and of our folder are not served. */
const assets = new Set([
  '/reference.css',
  '/viewer.css',
  '/start-viewer.js',
  '/swagger-ui.css',
  '/swagger-ui-bundle.js',
  '/favicon-32x32.png',
])
const ourAssets = fileURLToPath(new URL('reference/', import.meta.url))
/** The viewer's files: beside ours in the build, else in its package. */
const viewerAssets = existsSync(join(ourAssets, 'swagger-ui.css'))
  ? ourAssets
  : fileURLToPath(new URL('.', import.meta.resolve('swagger-ui-dist/swagger-ui.css')))

const viewerPage = page({
  title: 'Reference',
  styles: ['swagger-ui.css', 'reference.css', 'viewer.css'],
  scripts: ['swagger-ui-bundle.js', 'start-viewer.js'],
  content: `<main id="viewer" class="viewer"><noscript>The viewer needs JavaScript.
The same reference stands in <a href="/openapi.yaml">openapi.yaml</a>.</noscript></main>`,
})

/** The content security policy of the pages. The viewer draws its icons from `data:` addresses in its own style sheet. */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply.header('content-security-policy', contentPolicy).type('text/html; charset=utf-8').send(html)
}
