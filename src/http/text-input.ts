import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem, refuseInput } from '../api/problem.ts'
import type { TextParameters } from '../contract/query-text.ts'

/**
 * The parameters of a query string; a name given several times has a list. Invalid percent-encoding is refused here, since
 * the usual parsers would put a replacement character in its place.
 * @throws Problem `invalid-request`
 */
export function parseQuery(url: string): TextParameters {
  const at = url.indexOf('?')
  const text = at === -1 ? '' : url.slice(at + 1)
  const parameters: TextParameters = Object.create(null) as TextParameters
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals))
    const value = decoded(equals === -1 ? '' : pair.slice(equals + 1))
    const before = parameters[name]
    if (Array.isArray(before)) before.push(value)
    else parameters[name] = before === undefined ? value : [before, value]
  }
  return parameters
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return refuseInput([
      { pointer: '/query', message: `"${text.slice(0, 50)}" is not properly percent-encoded` },
    ])
  }
}

/** Deepest nesting of a body: far more than the contract has, and few enough levels for code that recurses. */
const deepestBody = 200

/** Most values of a body where a route sets no limit: the largest intended body has 200 keywords with tags. */
const defaultMostValues = 5_000

/** Most properties of one object: an ad in the form of a library has fewer than a hundred. */
const mostProperties = 500

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the route in metrics and logs: an operation's tool name, or one of ours. */
    tool?: string
    /** Most values in a body of this route, counted over all levels; 5,000 when left out. */
    mostValues?: number
  }
}

/** Accepts only bodies of JSON in UTF-8. One that would change an object's prototype is refused. */
export function acceptJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const refusal = refused(request, body as Buffer)
    if (refusal) return done(refusal)
    if (body.length === 0) return done(null, undefined)
    return parseJson(request, body.toString('utf8'), (error, value) =>
      error
        ? done(badBody('is not valid JSON, or names a property such as __proto__'))
        : done(null, withAllDigits(body, value)),
    )
  })
}

/** Ids of ads are whole numbers that JavaScript cannot hold exactly: such a number is parsed as the text of its digits. */
function withAllDigits(body: string | Buffer, value: unknown): unknown {
  const text = body.toString('utf8')
  return /[[:,\s]-?\d{16,}[\s,}\]]/.test(text)
    ? JSON.parse(text, exactly as Parameters<typeof JSON.parse>[1])
    : value
}

/** The types of TypeScript 5 lack the reviver's third parameter, with the source text of a value. */
function exactly(_name: string, value: unknown, written?: { source?: string }): unknown {
  const digits = written?.source ?? ''
  return typeof value === 'number' && /^-?\d{16,}$/.test(digits) && String(value) !== digits ? digits : value
}

function refused(request: FastifyRequest, body: Buffer): Problem | undefined {
  const charset = /charset\s*=\s*"?([^;"\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  if (charset && !/^utf-?8$/i.test(charset))
    return new Problem('unsupported-media-type', `The body must be UTF-8, not ${charset}.`)
  const encoding = request.headers['content-encoding']
  if (encoding && encoding !== 'identity')
    return new Problem('unsupported-media-type', `A body with Content-Encoding ${encoding} is not accepted.`)
  if (!isUtf8(body)) return badBody('is not valid UTF-8')
  return refusedShape(body, request.routeOptions.config.mostValues ?? defaultMostValues)
}

function badBody(message: string): Problem {
  return new Problem('invalid-request', `The body ${message}.`, { errors: [{ pointer: '/body', message }] })
}

/**
 * Runs before a body is parsed: parsing half a million values blocks other requests too long, and so does listing thousands
 * of unknown properties.
 */
function refusedShape(json: Buffer, mostValues: number): Problem | undefined {
  /** The open objects and lists, the innermost last. */
  const open: { isObject: boolean; commas: number }[] = []
  let values = 1
  let inText = false
  for (let at = 0; at < json.length; at++) {
    const letter = json[at]
    if (inText) {
      if (letter === backslash) at++
      else if (letter === quote) inText = false
    } else if (letter === quote) inText = true
    else if (letter === comma) {
      values++
      const around = open.at(-1)
      if (around && ++around.commas >= mostProperties && around.isObject)
        return badBody(`holds an object of more than ${mostProperties} properties`)
    } else if (letter === openObject || letter === openList) {
      open.push({ isObject: letter === openObject, commas: 0 })
      values++
    } else if (letter === closeObject || letter === closeList) open.pop()
    if (open.length > deepestBody) return badBody(`is nested deeper than ${deepestBody} levels`)
    if (values > mostValues) return badBody(`holds more than ${mostValues.toLocaleString('en')} values`)
  }
  return undefined
}

const [quote, backslash, openObject, closeObject, openList, closeList, comma] = Buffer.from('"\\{}[],')
