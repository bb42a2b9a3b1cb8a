import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { areas } from '../contract/contract.ts'
import type { Operation } from '../contract/operation.ts'
import {
  addressProblems,
  bodyProblems,
  commonProblems,
  draftProblems,
  fileImportProblems,
  idempotencyProblems,
  keyProblems,
  mcpProblems,
  operatingProblems,
  type ProblemCode,
  problems,
} from '../contract/problems.ts'
import { openApiDocument } from './openapi.ts'
import { page } from './reference/page.ts'

/**
 * The API reference: the OpenAPI document as JSON and YAML, its viewer at `/docs/reference`, and the problems page. Works
 * without internet: every byte comes from this origin, and the pages forbid anything else.
 */
export async function referenceRoutes(app: FastifyInstance): Promise<void> {
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

const codes = Object.keys(problems) as ProblemCode[]

/** The page at `/docs/problems`: every code under its own anchor, in the order of their statuses. */
const problemsPage = page({
  title: 'Problems',
  styles: ['reference.css'],
  content: `<main class="text">
<h1>Problems</h1>
<p>Every failure is an <a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457</a> problem of the media type
<code>application/problem+json</code>. Decide by <code>code</code>; <code>type</code> leads to the section below that
explains it. Quote <code>requestId</code> to the operator of this installation.</p>
<nav class="contents" aria-label="Codes">
<ul>
${codes.map((code) => `<li><a href="#${code}">${code}</a> <span class="status">${problems[code].status}</span></li>`).join('\n')}
</ul>
</nav>
${codes.map(section).join('\n')}
</main>`,
})

function section(code: ProblemCode): string {
  const { status, title, explanation } = problems[code]
  return `<section id="${code}">
<h2><a href="#${code}">${code}</a> <span class="status">${status}</span></h2>
<p class="title">${formatted(title)}</p>
<p>${formatted(explanation)}</p>
<p class="answered">Answered by ${answeredBy(code)}.</p>
</section>`
}

function answeredBy(code: ProblemCode): string {
  if (includes(commonProblems, code)) return 'any operation'
  if (includes(addressProblems, code)) return 'addresses and methods that are no operation'
  if (includes(mcpProblems, code)) return '<code>/mcp</code>'
  if (includes(fileImportProblems, code)) return '<code>/file-imports</code>'
  if (includes(draftProblems, code)) return '<code>/listing-drafts</code>'
  if (includes(keyProblems, code)) return '<code>/keys</code>'
  if (includes(operatingProblems, code)) return '<code>/requests</code> and <code>/collecting</code>'
  const rows = Object.entries(areas).flatMap(([area, { operations }]) =>
    Object.entries<Operation>(operations)
      .filter(([, row]) => row.problems.includes(code))
      .map(([tool]) => `<a href="/docs/reference#/${area}/${tool}">${tool}</a>`),
  )
  const repeats = includes(idempotencyProblems, code) ? ['any POST with <code>Idempotency-Key</code>'] : []
  const bodies = includes(bodyProblems, code) ? ['any request with a body'] : []
  return [...repeats, ...bodies, ...rows].join(', ')
}

function includes(list: readonly ProblemCode[], code: ProblemCode): boolean {
  return list.includes(code)
}

/** Texts of the contract are plain except for words in backticks. */
function formatted(text: string): string {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return safe.replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
