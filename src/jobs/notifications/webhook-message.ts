import { hash } from 'node:crypto'
import type { WatchEvent } from '../../domain/watches/watch.ts'
import type { WebhookShape } from '../../vocabulary/watches.ts'

/** The events of one message, with its account and links. */
export interface Message {
  account: string
  events: readonly WatchEvent[]
  /** Base address of links, without a trailing slash. */
  publicUrl: string
}

/** Most events of one message; further ones go with the next. */
export const maxEventsInMessage = 20

/** Longest content that Discord accepts. */
const longestDiscord = 2_000

/** Bodies of webhooks by format. Titles contain names that strangers chose: none of them is treated as markup. */
const bodies: Record<WebhookShape, (message: Message) => unknown> = {
  generic: ({ account, events, publicUrl }) => ({
    type: 'watch.events',
    timestamp: events.map(({ recordedAt }) => recordedAt).reduce((one, other) => (other > one ? other : one)),
    account,
    events: events.map(({ eventId, watchId, kind, title, page, evidence, observedAt, recordedAt }) => ({
      eventId,
      watchId,
      kind,
      title,
      link: `${publicUrl}${page}`,
      observedAt,
      recordedAt,
      evidence,
    })),
  }),
  slack: ({ events, publicUrl }) => ({
    text: events
      .map(({ title, page }) => `• ${plainForSlack(title)} (<${publicUrl}${page}|evidence>)`)
      .join('\n'),
    unfurl_links: false,
  }),
  discord: ({ events, publicUrl }) => ({
    content: fitting(
      events.map(({ title, page }) => `- ${plainMarkdown(title)} ([evidence](<${publicUrl}${page}>))`),
      longestDiscord,
    ),
    allowed_mentions: { parse: [] },
  }),
  teams: ({ events, publicUrl }) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: events.map(({ title, page }) => ({
            type: 'TextBlock',
            wrap: true,
            text: `${plainMarkdown(title)} ([evidence](${publicUrl}${page}))`,
          })),
        },
      },
    ],
  }),
}

/** The body of a webhook as JSON. */
export const webhookBody = (shape: WebhookShape, message: Message) => JSON.stringify(bodies[shape](message))

/** An id derived from the contents of a message: the same for each attempt, and for no other message. */
export function webhookId(wayId: string, events: readonly WatchEvent[]): string {
  const contents = [wayId, ...events.map(({ eventId }) => eventId)].join(' ')
  return `msg_${hash('sha256', contents, 'base64url').slice(0, 27)}`
}

const plainForSlack = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const plainMarkdown = (text: string) => text.replace(/[\\`*_~|[\]()<>#]/g, '\\$&')

/** As many lines as fit, and the number of those left out. */
function fitting(lines: readonly string[], longest: number): string {
  for (let count = lines.length; count > 0; count--) {
    const left = lines.length - count
    const text = [...lines.slice(0, count), ...(left > 0 ? [`- and ${left} more`] : [])].join('\n')
    if (text.length <= longest) return text
  }
  return `${lines.length} events`
}
