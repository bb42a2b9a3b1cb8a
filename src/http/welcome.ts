import type { FastifyInstance } from 'fastify'
import manifest from 'rivalscope/package.json' with { type: 'json' }
import { page } from './reference/page.ts'
import { contentPolicy } from './reference.ts'
import type { SendShell } from './web-pages.ts'

/** Addresses besides the operations, for programs that know only the base address. */
const addresses = {
  name: 'Rivalscope',
  description: manifest.description,
  version: manifest.version,
  operations: '/v1',
  documentation: '/docs/',
  reference: '/docs/reference',
  openapi: '/openapi.json',
  problems: '/docs/problems',
  client: '/client.js',
  mcp: '/mcp',
  health: '/healthz',
}

const welcomePage = page({
  title: 'Welcome',
  styles: ['reference.css'],
  content: `<main class="text">
<h1>Rivalscope</h1>
<p>${manifest.description} This installation answers; what it is asked needs a key of its operator.</p>
<ul>
<li><a href="/docs/">The documentation</a>: how each job is done, how it is run, and why it is so</li>
<li><a href="/docs/reference">The reference</a>: every operation, with examples that can be tried with a key</li>
<li><a href="/docs/problems">Problems</a>: what each failure means, and what to do</li>
<li><a href="/openapi.json">The OpenAPI document</a>, also as <a href="/openapi.yaml">YAML</a></li>
<li><code>/mcp</code>: the same operations as tools for agents</li>
<li><a href="/client.js">The client</a> for programs and pages</li>
</ul>
<p>A key is made by <code>rivalscope keys create --name NAME --scopes context:read,content:write</code>, and sent as
<code>Authorization: Bearer KEY</code>.</p>
<p>The web pages have not been built here: <code>npm run build</code> builds them, and no restart is needed.</p>
</main>`,
})

/**
 * The root address of the installation: for people the web pages, or an overview page where they are not built; for programs
 * a list of addresses.
 */
export function welcomeRoute(app: FastifyInstance, sendShell: SendShell): void {
  app.get('/', async (request, reply) => {
    if (!request.headers.accept?.includes('text/html')) return reply.header('vary', 'Accept').send(addresses)
    if (await sendShell(request, reply)) return reply
    return reply
      .header('vary', 'Accept')
      .header('content-security-policy', contentPolicy)
      .type('text/html; charset=utf-8')
      .send(welcomePage)
  })
}
