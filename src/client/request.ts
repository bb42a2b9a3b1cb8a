import type { Route } from './routes.ts'

/** Arguments of a call in one object. */
export type Arguments = Readonly<Record<string, unknown>>

/** The parts of a request that follow from the operation and its arguments. */
export interface CallRequest {
  /** Relative to the address of the server, without a leading slash. */
  path: string
  body: string | undefined
}

/**
 * Sorts arguments into path, query and body. Unknown names are sent too; the service refuses them.
 * @throws TypeError for values that cannot be encoded in an address
 */
export function httpRequestOf(tool: string, route: Route, given: Arguments): CallRequest {
  const values = { ...route.fixed, ...withoutUndefined(given) }
  const path = route.path.replace(/\{(\w+)\}/g, (_, name) => segment(tool, name, values[name]))
  const query = new URLSearchParams()
  const body: [string, unknown][] = []
  for (const [name, value] of Object.entries(values)) {
    if (route.params.includes(name)) continue
    if (route.query.includes(name) || route.body === null)
      for (const text of texts(tool, name, value)) query.append(name, text)
    else body.push([name, value])
  }
  return {
    path: `${path.slice(1)}${query.size > 0 ? `?${query}` : ''}`,
    body: route.body === null ? undefined : JSON.stringify(Object.fromEntries(body)),
  }
}

const withoutUndefined = (given: Arguments): Arguments =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

/** Dots alone would resolve to the path of another operation, however they are encoded. */
function segment(tool: string, name: string, value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  if (text === '') throw new TypeError(`${tool} needs "${name}", a text or a number that is not empty.`)
  if (/^\.{1,2}$/.test(text) || !text.isWellFormed())
    throw new TypeError(`${tool}: "${name}" cannot be ${JSON.stringify(text)}.`)
  return encodeURIComponent(text)
}

function texts(tool: string, name: string, value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value]
  if (list.length === 0) throw new TypeError(`${tool}: "${name}" is an empty list; leave it out instead.`)
  return list.map((one) => {
    if (typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean') return String(one)
    throw new TypeError(`${tool}: "${name}" takes text, numbers, true or false.`)
  })
}
