export interface Answer {
  status: number
  // Replies of any operation, looked at by tests that know which one they called.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any
}

/** Calls a running service. */
export type Call = (
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<Answer>

export function callTo(address: string, key: string): Call {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(address + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : undefined }
  }
}

export const askForRecord = (call: Call, storeId: string, key?: string): Promise<Answer> =>
  call(
    'POST',
    `/v1/competitors/ios/${storeId}/data-requests`,
    { kinds: ['record'] },
    key ? { 'idempotency-key': key } : {},
  )
