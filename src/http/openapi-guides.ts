export interface Guide {
  title: string
  /** Markdown. */
  text: string
}

/** Guides for writing a program, each under a heading of the document. */
export const guides: readonly Guide[] = [
  {
    title: 'Authentication',
    text: `Send \`Authorization: Bearer <credential>\` with every request. A credential is an API key, which an operator makes with
\`rivalscope keys create --name … --scopes context:read,content:write\` and which is shown once, or a JWT of the OpenID provider that
the operator has configured. It belongs to an account: evidence is shared by all accounts of an installation, and what is saved,
tracked and requested is seen by its account alone.

An operation needs the scope named in its \`security\`: \`context:read\` reads stored evidence, \`content:write\` changes what the account
keeps, asks for work, and searches through POST. Neither implies the other. Without a valid credential the answer is 401 with
\`WWW-Authenticate\`, without the scope 403 with the scope that is missing.`,
  },
  {
    title: 'Limits',
    text: `Requests are counted for each credential, and for all of an account where the operator limits it; the operator sets how many a minute
holds. \`RateLimit-Policy\` tells the limit of which less is left, \`RateLimit\` what is left of it, on every reply; above it the answer is 429 with \`Retry-After\` in seconds. Processes on one database count together.

A body holds at most 1 MiB (413) and is JSON in UTF-8 (415). A page holds 1 to 100 items, 25 when \`limit\` is left out; a chart up to 200
places. A window of days spans at most 1,100. Texts to look for have at most 200 characters. Every other bound stands in the schema of
its parameter.`,
  },
  {
    title: 'Pagination',
    text: `Lists answer \`items\` and \`nextCursor\`. Pass \`nextCursor\` as \`cursor\`, with all other parameters unchanged, until it is null. A cursor is
opaque and holds the place in the order, so nothing is shown twice or left out when items are added meanwhile; one that is damaged, or
that was made by another list, account or other parameters, is refused as \`invalid-cursor\`. Searches also answer \`total\`: exact, or \`at-least\` where counting
stopped early.`,
  },
  {
    title: 'Idempotency',
    text: `Any POST takes an \`Idempotency-Key\` of up to 200 visible ASCII characters. The same key, credential and request within 24 hours answer
the first reply again, marked with \`Idempotency-Replayed: true\`, also when the service died before it could be sent. Another request
under the key is 409 \`idempotency-mismatch\`; one that is still under way is 409 \`already-running\`. A failed call frees its key.

Without a key, saving, tracking, linking and requesting can be repeated too: 201 the first time, 200 with the same resource after that.
DELETE answers 204 each time. Work that takes time answers 202; asking again while it is under way answers the same work, by its
\`workId\`.`,
  },
  {
    title: 'Errors',
    text: `Every failure is an RFC 9457 problem, \`application/problem+json\`. Decide by \`code\`, which never changes its meaning; show people \`detail\`; quote
\`requestId\` to the operator. Bad input names each offending place in \`errors\`, as JSON pointers such as \`/query/country\` or
\`/body/kinds/0\`. 429 and 503 can be repeated after \`Retry-After\`; 400 to 415 cannot without a change. [All codes are explained](/docs/problems).`,
  },
  {
    title: 'Caching',
    text: `Every GET carries an \`ETag\`. Send it back as \`If-None-Match\`, and the answer is 304 without a body while nothing has changed. Replies
depend on evidence and not on the clock, so what has not changed keeps its tag.`,
  },
  {
    title: 'Versioning',
    text: `Paths begin with \`/v1\`. Within it nothing that is documented is taken away or changes its meaning. Operations, optional parameters,
properties of replies, headers and problem codes may be added: ignore what you do not know. A change that breaks callers would stand
at \`/v2\`, beside \`/v1\`. \`info.version\` of the document is the version of the installation that answers.`,
  },
]
