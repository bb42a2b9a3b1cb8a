/** A request to the fake upstream. */
export interface UpstreamRequest {
  url: URL
  /** Apple's header with the number of a storefront; empty where there is none. */
  storefront: string
  /** The media types that are accepted; empty where the request does not say. */
  accept: string
  body: string
}

export interface UpstreamAnswer {
  status: number
  type: string
  body: string
}

export const json = (body: string, status = 200): UpstreamAnswer => ({ status, type: 'application/json', body })
export const xml = (body: string): UpstreamAnswer => ({ status: 200, type: 'text/xml; charset=utf-8', body })
export const html = (body: string): UpstreamAnswer => ({ status: 200, type: 'text/html; charset=utf-8', body })
export const missing: UpstreamAnswer = {
  status: 404,
  type: 'text/html',
  body: '<!DOCTYPE html><title>404</title>',
}
