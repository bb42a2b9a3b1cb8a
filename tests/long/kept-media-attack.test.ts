import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { createServer, request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { deflateSync, gzipSync } from 'node:zlib'
import { MediaFailure, type MediaFailureKind } from '../../src/sources/media/failure.ts'
import { type MediaNetwork, MediaSource } from '../../src/sources/media/media-source.ts'
import { MediaFetching } from '../../src/sources/media/settings.ts'
import { MediaOnDisk } from '../../src/storage/media-on-disk.ts'
import { noCertificate, untrustedCertificate } from '../support/certificate.ts'
import { openFolder } from '../support/files.ts'
import { mp4, playHosts, png, sends } from '../support/media.ts'
import { pause } from '../support/pause.ts'
import { untilTrue } from '../support/until.ts'

const parts = new AsyncDisposableStack()
const hosts = parts.use(await playHosts())
const folder = parts.use(openFolder())
after(() => parts.disposeAsync())

const store = new MediaOnDisk(folder.path)
const maxBytes = 200_000
const host = 'scontent.xx.fbcdn.net'
const never = new AbortController().signal

/** Fetches as the job does; nothing may be left over of what is refused. */
function fetchOf(address: string, settings: object = {}, network: MediaNetwork = hosts.network) {
  const source = new MediaSource(MediaFetching.parse({ maxBytes, timeoutSeconds: 20, ...settings }), network)
  return source.fetch(address, never, async ({ contentType, content }) => ({
    contentType,
    ...(await store.put(content)),
  }))
}

async function refuses(path: string, kind: MediaFailureKind, why: RegExp, settings: object = {}) {
  const before = contents()
  await assert.rejects(fetchOf(`https://${host}/${path}`, settings), (error) => {
    assert.ok(error instanceof MediaFailure, String(error))
    assert.deepEqual([error.kind, why.test(error.message)], [kind, true], error.message)
    return true
  })
  assert.deepEqual(contents(), before, 'nothing of it is left')
}
const contents = () => readdirSync(folder.path, { recursive: true }).sort()

const answers = (path: string, answer: Parameters<typeof hosts.answer>[1]) =>
  hosts.answer(`${host}/${path}`, answer)
const leads = (path: string, to: string) => answers(path, sends('', { location: to }, 302))

test('what calls itself a picture and is something else is refused by its content', async () => {
  const picture = { 'content-type': 'image/jpeg' }
  const impostors: Record<string, string | Buffer> = {
    'page.jpg': '<!doctype html><script>alert(1)</script>',
    'drawing.png': '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    'declared.svg': '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
    'program.png': Buffer.from('7f454c460201010000000000000000000200', 'hex'),
    'paper.jpg': '%PDF-1.7 and more',
    'archive.jpg': Buffer.from('504b03041400000000000000', 'hex'),
    'sound.mp4': Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'),
    'packed.png': gzipSync(await png(1)),
    'short.jpg': Buffer.from('ffd8', 'hex'),
    'text.gif': 'GIF is what I say',
    'beginning.mp4': Buffer.from('\0\0\0\x20ftyp', 'latin1'),
    'nonsense.jpg': Buffer.alloc(5000, 0xa7),
  }
  for (const [path, body] of Object.entries(impostors)) {
    answers(path, sends(body, picture))
    await refuses(path, 'refused', /no picture or video that is kept/)
  }
  answers('empty.jpg', sends('', picture))
  await refuses('empty.jpg', 'refused', /sent nothing/)
})

test('an AVIF is one whatever brand its box begins with', async () => {
  const box = (...brands: string[]) => Buffer.from(`\0\0\0\x1cftyp${brands.join('')}`, 'latin1')
  const rest = Buffer.alloc(200, 1)
  for (const [path, brands, type] of [
    ['usual.avif', ['avif', '\0\0\0\0', 'avif', 'mif1', 'miaf'], 'image/avif'],
    ['heif.avif', ['mif1', '\0\0\0\0', 'avif', 'mif1', 'miaf'], 'image/avif'],
  ] as const) {
    answers(path, sends(Buffer.concat([box(...brands), rest]), { 'content-type': 'image/avif' }))
    assert.equal((await fetchOf(`https://${host}/${path}`)).contentType, type)
  }
  answers('photo.heic', sends(Buffer.concat([box('mif1', '\0\0\0\0', 'heic', 'mif1', 'miaf'), rest]), {}))
  await refuses('photo.heic', 'refused', /no picture or video that is kept/)
})

test('a picture is one whatever the server calls it, and however few bytes come at a time', async () => {
  const body = await png(9)
  answers('honest.html', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    for (const byte of body) response.write(Buffer.of(byte))
    response.end()
  })
  const { contentType, sizeBytes } = await fetchOf(`https://${host}/honest.html`)
  assert.deepEqual([contentType, sizeBytes], ['image/png', body.length])
})

test('ten gigabytes announced are refused before they come', async () => {
  answers('huge.mp4', (_request, response) => {
    response.writeHead(200, { 'content-length': '10737418240' })
    response.write(mp4(1000))
  })
  await refuses('huge.mp4', 'refused', /more than 200000 bytes/)
})

test('a stream without end is cut at the limit, whatever length it announced', async () => {
  const pour = (path: string, headers: Record<string, string>) =>
    answers(path, (_request, response) => {
      response.writeHead(200, headers)
      response.write(mp4(1000))
      const more = () => {
        if (!response.destroyed) response.write(Buffer.alloc(64_000), () => setImmediate(more))
      }
      more()
    })
  pour('endless.mp4', { 'transfer-encoding': 'chunked' })
  await refuses('endless.mp4', 'refused', /more than 200000 bytes/)
})

test('what ends before its announced length is no copy', async () => {
  answers('half.mp4', (_request, response) => {
    response.writeHead(200, { 'content-length': '100000' })
    response.write(mp4(50_000), () => response.destroy())
  })
  await refuses('half.mp4', 'trouble', /broke off/)
})

test('a source that drips or says nothing is not waited for for ever', async () => {
  answers('drip.mp4', (_request, response) => {
    response.write(mp4(5000))
    const timer = setInterval(() => response.write(Buffer.of(1)), 50)
    response.on('close', () => clearInterval(timer))
  })
  answers('silent.mp4', () => {})
  await refuses('drip.mp4', 'trouble', /within 0\.5 s/, { timeoutSeconds: 0.5 })
  await refuses('silent.mp4', 'trouble', /within 0\.5 s/, { timeoutSeconds: 0.5 })
})

test('nobody is led on to where nothing may be fetched from', async () => {
  leads('to-metadata', 'http://169.254.169.254/latest/meta-data/')
  await refuses('to-metadata', 'refused', /https only/)
  leads('to-metadata-s', 'https://169.254.169.254/latest/meta-data/')
  await refuses('to-metadata-s', 'refused', /not among/)
  leads('to-plain', `http://${host}/picture.png`)
  await refuses('to-plain', 'refused', /https only/)
  leads('to-other', '//evil.example/picture.png')
  await refuses('to-other', 'refused', /not among/)
  leads('to-port', `https://${host}:6379/`)
  await refuses('to-port', 'refused', /Port 6379/)
  leads('to-file', 'file:///etc/passwd')
  await refuses('to-file', 'refused', /https only/)
  leads('to-nonsense', 'https://[')
  await refuses('to-nonsense', 'refused', /cannot be read/)
  answers('to-nowhere', sends('', {}, 302))
  await refuses('to-nowhere', 'refused', /answered 302/)
  assert.ok(!hosts.asked.some((address) => /169\.254|evil|6379/.test(address)))
})

test('a redirect to an allowed host is followed, three times at most', async () => {
  const body = await png(10)
  hosts.answer('p16.tiktokcdn.com/final.png', sends(body))
  leads('first', 'second')
  leads('second', `https://${host}/third`)
  leads('third', 'https://p16.tiktokcdn.com/final.png')
  assert.equal((await fetchOf(`https://${host}/first`)).sizeBytes, body.length)
  leads('round', 'round')
  await refuses('round', 'refused', /leads on more than 3 times/)
})

test('a name of a private machine is refused, however public its other addresses are', async () => {
  for (const [name, addresses] of [
    ['a', ['127.0.0.1']],
    ['b', ['10.0.0.5']],
    ['c', ['93.184.216.34', '192.168.0.1']],
    ['d', ['::ffff:127.0.0.1']],
    ['e', ['2606:4700::1', 'fd00::1']],
    ['f', ['169.254.169.254']],
  ] as const) {
    const inside = `${name}.inside.fbcdn.net`
    hosts.addresses(inside, () => [...addresses])
    hosts.answer(`${inside}/a.png`, sends(await png(1)))
    await assert.rejects(fetchOf(`https://${inside}/a.png`), /not an address of the public internet/, name)
  }
  hosts.addresses('none.fbcdn.net', () => [])
  await assert.rejects(fetchOf('https://none.fbcdn.net/a.png'), /has no address/)
  assert.ok(!hosts.asked.some((address) => address.includes('.inside.')))
})

test('the address that was checked is the one that is spoken to, whatever the name means a moment later', async () => {
  let looks = 0
  const spokenTo: string[] = []
  const network: MediaNetwork = {
    addressesOf: async () => [looks++ === 0 ? '93.184.216.34' : '127.0.0.1'],
    send: (options, signal) => {
      spokenTo.push(options.host)
      return hosts.network.send(options, signal)
    },
  }
  answers('rebound.png', sends(await png(11)))
  await fetchOf(`https://${host}/rebound.png`, {}, network)
  assert.deepEqual([looks, spokenTo], [1, ['93.184.216.34']])
  leads('rebinding', 'rebound.png')
  looks = 0
  await assert.rejects(fetchOf(`https://${host}/rebinding`, {}, network), /127\.0\.0\.1 is not an address/)
})

test('a host that cannot prove who it is is not believed', { skip: noCertificate }, async () => {
  const body = await png(12)
  const server = createServer(untrustedCertificate(), (_request, response) => void response.end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const network: MediaNetwork = {
    addressesOf: async () => ['93.184.216.34'],
    send: (options, signal) =>
      new Promise((resolve, reject) => {
        httpsRequest({ ...options, host: '127.0.0.1', port, signal }, resolve)
          .on('error', reject)
          .end()
      }),
  }
  try {
    await assert.rejects(
      fetchOf(`https://${host}/a.png`, {}, network),
      /cannot be reached \(.*(SELF_SIGNED|CERT)/,
    )
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('a picture that unpacks to gigabytes is kept as the few bytes it is: nobody unpacks it', async () => {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(data.length)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, data, Buffer.alloc(4)])
  }
  const size = Buffer.alloc(13)
  size.writeUInt32BE(60_000, 0)
  size.writeUInt32BE(60_000, 4)
  size.set([8, 6, 0, 0, 0], 8)
  const bomb = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(Buffer.alloc(10_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
  answers('bomb.png', sends(bomb))
  const before = process.memoryUsage().rss
  assert.equal((await fetchOf(`https://${host}/bomb.png`)).sizeBytes, bomb.length)
  assert.ok(process.memoryUsage().rss - before < 1_000_000_000)
})

test('at most two speak to a host at once, however many are wanted', async () => {
  let open = 0
  let most = 0
  const body = await png(13)
  let waiting: (() => void)[] = []
  answers('busy.png', (_request, response) => {
    most = Math.max(most, ++open)
    waiting.push(() => {
      open -= 1
      response.end(body)
    })
    // Nobody is answered before a second one asks, and a third would have come meanwhile.
    if (waiting.length === 2)
      void pause(20, 'a request too many would come').then(() => {
        const answering = waiting
        waiting = []
        for (const answer of answering) answer()
      })
  })
  const source = new MediaSource(MediaFetching.parse({}), hosts.network)
  const one = () => source.fetch(`https://${host}/busy.png`, never, async ({ content }) => store.put(content))
  await Promise.all(Array.from({ length: 12 }, one))
  assert.equal(most, 2)
})

test('who no longer wants it stops the fetching, under way or waiting for its turn', async () => {
  answers('unwanted.mp4', (_request, response) => void response.write(mp4(10_000)))
  const source = new MediaSource(MediaFetching.parse({}), hosts.network)
  const given = new Error('no longer wanted')
  const stop = new AbortController()
  const all = Array.from({ length: 5 }, () =>
    source.fetch(`https://${host}/unwanted.mp4`, stop.signal, async ({ content }) => store.put(content)),
  )
  const settled = Promise.allSettled(all)
  await untilTrue(() => hosts.asked.filter((address) => address === `${host}/unwanted.mp4`).length === 2)
  stop.abort(given)
  for (const { status, reason } of (await settled) as PromiseRejectedResult[])
    assert.deepEqual([status, reason], ['rejected', given])
  assert.deepEqual(readdirSync(join(folder.path, 'incoming')), [])
})
