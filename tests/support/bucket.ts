import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A fake of S3 on loopback, which rejects requests without a valid AWS signature (version 4). */
export interface PlayedBucket extends AsyncDisposable {
  endpoint: string
  credentials: { accessKeyId: string; secretAccessKey: string }
  /** Objects by `/bucket/key`. */
  objects: Map<string, Buffer>
  requests: string[]
  /** Answers every request with this status; undefined for normal operation. */
  fail: { status: number | undefined }
}

export async function playBucket(): Promise<PlayedBucket> {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'not a secret' }
  const objects = new Map<string, Buffer>()
  const requests: string[] = []
  const fail: PlayedBucket['fail'] = { status: undefined }
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const { method = '', url = '' } = request
    requests.push(`${method} ${url}`)
    const object = objects.get(url)
    const answer = (status: number, content?: Buffer) => response.writeHead(status).end(content)
    if (fail.status !== undefined) return answer(fail.status, Buffer.from('<Error>secrets</Error>'))
    if (!isSigned(request, body, credentials.secretAccessKey)) return answer(403)
    if (method === 'PUT') {
      if (request.headers['content-length'] === undefined) return answer(411)
      objects.set(url, body)
      return answer(200)
    }
    if (method === 'DELETE') {
      objects.delete(url)
      return answer(204)
    }
    if (!object) return answer(404)
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    return from ? answer(206, object.subarray(Number(from), Number(to) + 1)) : answer(200, object)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials,
    objects,
    requests,
    fail,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Source: "Signature Version 4 signing process" of the Amazon S3 API reference. */
function isSigned({ method, url, headers }: IncomingMessage, body: Buffer, secret: string): boolean {
  const [, scope = '', names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  const bodyHash = String(headers['x-amz-content-sha256'])
  if (bodyHash !== sha256(body) || !names.includes('x-amz-content-sha256')) return false
  const signedHeaders = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = [method, url, '', signedHeaders.join(''), names, bodyHash].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha256(canonical)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>((before, part) => hmac(before, part), `AWS4${secret}`)
  return hmac(key, toSign).toString('hex') === signature
}
