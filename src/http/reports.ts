import type { FastifyInstance } from 'fastify'
import type { WeeklyReports } from '../api/weekly-reports.ts'
import { besideContract } from './beside-contract.ts'
import { clientAddressOf } from './forwarded.ts'
import { type OperationDoors, refuseOtherMethods } from './operations.ts'
import { page } from './reference/page.ts'

/**
 * `/weekly-report` and `/report-links`: the weekly report of an account, and links to it; `/shared/<token>`: one report, for whoever
 * has its link. Such a link is no session: nothing else is answered for it
 * (docs/decisions/0114-watches-on-pages-and-shared-reports.md).
 */
export function reportRoutes(app: FastifyInstance, doors: OperationDoors, reports: WeeklyReports): void {
  besideContract(app, doors, {
    '/weekly-report': {
      GET: async ({ caller, query, reply }) => {
        const { page: html } = await reports.page(caller, query)
        // A page of ours shows it in a frame, whose links open beside it.
        const policy = `${reportPolicy}; frame-ancestors 'self'; sandbox allow-same-origin allow-modals ${opening}`
        return reply.headers({ ...htmlHeaders, 'content-security-policy': policy }).send(html)
      },
    },
    '/report-links': {
      GET: async ({ caller }) => ({ items: await reports.links(caller) }),
      POST: async ({ caller, body, reply }) => {
        const made = await reports.share(caller, body)
        reply.status(201)
        return made
      },
    },
    '/report-links/:id': { DELETE: ({ caller, id }) => reports.revoke(caller, id) },
  })
  sharedReports(app, doors, reports)
}

const htmlHeaders = { 'content-type': 'text/html; charset=utf-8', 'referrer-policy': 'no-referrer' }
/** Reports hold their styles, and load nothing. */
const reportPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'self'; form-action 'none'"
const opening = 'allow-popups allow-popups-to-escape-sandbox'

function sharedReports(app: FastifyInstance, { sessions, rateLimit }: OperationDoors, reports: WeeklyReports) {
  const url = '/shared/:token'
  app.get<{ Params: { token: string } }>(url, { config: { tool: 'shared' } }, async (request, reply) => {
    reply.headers({ ...htmlHeaders, 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex, nofollow' })
    const found = await reports.shared(request.params.token)
    if (!found) {
      // Readers of links that lead somewhere are answered even while others guess tokens.
      const address = clientAddressOf(request)
      sessions.failures.refuse(address)
      sessions.failures.note(address)
      return reply.status(404).header('content-security-policy', gonePolicy).send(gonePage)
    }
    await rateLimit?.take(`report:${found.linkId}`)
    const policy = `${reportPolicy}; frame-ancestors 'none'; sandbox ${opening}`
    return reply.header('content-security-policy', policy).send(found.page)
  })
  refuseOtherMethods(app, url, ['GET'])
}

const gonePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const gonePage = page({
  title: 'Report not available',
  styles: ['reference.css'],
  content: `<main class="text">
<h1>Report not available</h1>
<p>The link has expired, was revoked or is incomplete. Ask the sender for a new one.</p>
</main>`,
})
