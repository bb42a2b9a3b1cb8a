import { createHmac } from 'node:crypto'

/** Whether a received message is signed with a secret, by the letter of the Standard Webhooks specification. */
export function isSignedBy(
  secret: string,
  { body, headers }: { body: string; headers: Record<string, string | string[] | undefined> },
): boolean {
  const [id, seconds, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name]),
  )
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const meant = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return /^msg_[\w-]{27}$/.test(id ?? '') && /^\d{10}$/.test(seconds ?? '') && signature === `v1,${meant}`
}
