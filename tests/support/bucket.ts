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
    const answer = (status: number, content?: Buffer) =>
      response.writeHead(status, { 'content-length': content?.length ?? 0 }).end(content)
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
    if (method === 'GET' && url.includes('?'))
      return answer(200, listed(new URL(url, 'http://bucket'), objects))
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

/** Keys or folders below a prefix, two at a time. Source: ListObjectsV2 of the Amazon S3 API reference. */
function listed({ pathname, searchParams }: URL, objects: ReadonlyMap<string, Buffer>): Buffer {
  const [prefix, delimiter] = [searchParams.get('prefix') ?? '', searchParams.get('delimiter')]
  const after = searchParams.get('continuation-token') ?? ''
  const keys = [...objects.keys()]
    .map((path) => path.slice(pathname.length + 1))
    .filter((key) => key.startsWith(prefix))
  const names = keys.map((key) => {
    const end = delimiter ? key.indexOf(delimiter, prefix.length) : -1
    return end < 0
      ? `<Contents><Key>${key}</Key></Contents>`
      : `<CommonPrefixes><Prefix>${key.slice(0, end + 1)}</Prefix></CommonPrefixes>`
  })
  const left = [...new Set(names)].sort().filter((name) => name > after)
  const token =
    left.length > 2 ? `<NextContinuationToken>${left[1]?.replaceAll('<', '&lt;')}</NextContinuationToken>` : ''
  return Buffer.from(`<ListBucketResult>${left.slice(0, 2).join('')}${token}</ListBucketResult>`)
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
  const [path = '', query = ''] = (url ?? '').split('?')
  const sorted = query.split('&').sort().join('&').replaceAll('+', '%20')
  const canonical = [method, path, sorted, signedHeaders.join(''), names, bodyHash].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha256(canonical)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>((before, part) => hmac(before, part), `AWS4${secret}`)
  return hmac(key, toSign).toString('hex') === signature
}
