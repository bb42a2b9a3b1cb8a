import type { FastifyInstance } from 'fastify'
import type { FailedAttempts } from '../api/failed-attempts.ts'
import { Problem, storeFailuresAsProblems } from '../api/problem.ts'
import type { FindFeed, WatchFeed } from '../api/watch-feed.ts'
import { clientAddressOf } from './forwarded.ts'
import { refuseOtherMethods } from './operations.ts'

/**
 * Serves Atom feeds of watch events at `/feeds/<token>.atom`. The token is the credential, since feed readers send no other
 * (docs/watches.md).
 * @param options.linkHome base address of links, without a trailing slash; links are paths when left out
 * @param options.failures counts invalid tokens together with other invalid credentials
 */
export function feedRoutes(
  app: FastifyInstance,
  find: FindFeed,
  { linkHome = '', failures }: { linkHome?: string | undefined; failures: FailedAttempts },
): void {
  const url = '/feeds/:file'
  app.get<{ Params: { file: string } }>(url, async (request, reply) => {
    const { file } = request.params
    const feed = file.endsWith('.atom')
      ? await storeFailuresAsProblems(() => find(file.slice(0, -'.atom'.length)))
      : undefined
    if (!feed) {
      // Readers of existing feeds are answered even while others guess tokens.
      const address = clientAddressOf(request)
      failures.refuse(address)
      failures.note(address)
      throw new Problem('route-not-found', 'No feed has this address.')
    }
    // The request names the host: without a configured address, links are relative to the feed's own.
    return reply
      .headers({
        'content-type': 'application/atom+xml; charset=utf-8',
        'cache-control': 'private, max-age=60',
        'x-robots-tag': 'noindex',
        'referrer-policy': 'no-referrer',
      })
      .send(atom(feed, linkHome))
  })
  refuseOtherMethods(app, url, ['GET'])
}

function atom({ feedId, account, events }: WatchFeed, base: string): string {
  // A feed without events has a constant time of update.
  const updated = events[0]?.recordedAt ?? new Date(0)
  const entries = events.map(
    ({ eventId, title, page, kind, recordedAt, observedAt }) => `  <entry>
    <id>urn:uuid:${eventId}</id>
    <title>${escaped(title)}</title>
    <link rel="alternate" href="${escaped(base + page)}"/>
    <category term="${escaped(kind)}"/>
    <published>${observedAt.toISOString()}</published>
    <updated>${recordedAt.toISOString()}</updated>
    <content type="text">${escaped(`${title}. Observed ${observedAt.toISOString()}.`)}</content>
  </entry>
`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:uuid:${feedId}</id>
  <title>${escaped(`Rivalscope: ${account}`)}</title>
  <author><name>Rivalscope</name></author>
  <link rel="alternate" href="${escaped(`${base}/`)}"/>
  <updated>${updated.toISOString()}</updated>
${entries.join('')}</feed>
`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes untrusted text for XML, without the characters that XML cannot represent. */
const escaped = (text: string) =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/g, (sign) => entities[sign] ?? '')
