import type { FastifyInstance } from 'fastify'

/** Answers 304 without a body to a read whose `If-None-Match` names the `ETag` of its reply. */
export function answerNotModified(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const known = request.headers['if-none-match']
    const read = request.method === 'GET' || request.method === 'HEAD'
    if (known === undefined || !read || reply.statusCode !== 200) return done(null, payload)
    const etag = reply.getHeader('etag')
    if (typeof etag !== 'string' || !matchesETag(known, etag)) return done(null, payload)
    reply.status(304).removeHeader('content-length')
    done(null, '')
  })
}

/** Whether a list of tags, or `*` for any, names a tag. Weak tags match strong ones, since only whole replies are compared. */
export function matchesETag(list: string, etag: string): boolean {
  const tags = list.match(/(?:W\/)?"[^"]*"/g) ?? []
  return list.trim() === '*' || tags.some((tag) => tag.replace(/^W\//, '') === etag.replace(/^W\//, ''))
}
