import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { runProcess, serve } from '../support/command-line.ts'
import { openFolder } from '../support/files.ts'
import { until } from '../support/until.ts'
import { load } from './service.ts'

/** An app that enters the top ten, of a name that neither XML nor JSON holds as it is. */
const app = { storeId: '9000000074', name: 'Ferret & <Bobbin> "レシート" 🧾' }
const title = `${app.name} entered the top 10: 40 to 8 in top-free of All apps (iphone, de)`

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
const messages: { headers: IncomingHttpHeaders; body: string }[] = []
let feedAddress: string
let secret: string
let observedAt: Date

/** A service that was told of the app by files, and has told it by a webhook and in a feed. */
before(async () => {
  const folder = parts.use(openFolder())
  const receiver = createServer(async (request, reply) => {
    messages.push({ headers: request.headers, body: await text(request) })
    reply.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  parts.defer(() => void receiver.close())
  const watches = { allowPrivateAddresses: true }
  const config = folder.write('rivalscope.json', JSON.stringify({ watches }))
  const env = { RIVALSCOPE_CONFIG: config, RIVALSCOPE_PUBLIC_URL: 'https://rivals.example' }
  const dataDir = `${folder.path}/store`
  const { address } = parts.use(await serve(dataDir, { env }))
  const perform = async (...args: string[]) => {
    const { code, out, err } = await runProcess([...args, '--data-dir', dataDir], { env })
    assert.equal(code, 0, err)
    return out.trim()
  }
  const { pathname } = new URL(await perform('channels', 'add', 'feed'))
  feedAddress = address + pathname
  const { port } = receiver.address() as AddressInfo
  secret = await perform('channels', 'add', 'webhook', `http://127.0.0.1:${port}/hook`)
  const capture = async (rank: number, at: Date) => {
    const chart = folder.write(`at-${rank}.csv`, chartWith(rank))
    const of = ['--country', 'de', '--chart', 'top-free', '--category', '36', '--observed-at', at.toISOString()]
    await perform('import', 'charts', chart, ...of)
  }
  await capture(40, new Date(Date.now() - 86_400_000))
  await perform('watches', 'add', 'top', '--app', app.storeId, '--country', 'de', '--places', '10')
  observedAt = new Date()
  await capture(8, observedAt)
  await until(
    () => messages.length,
    (count) => count > 0,
  )
})

function chartWith(rank: number): string {
  const rows = Array.from({ length: 50 }, (_, index) =>
    index + 1 === rank
      ? `${rank},${app.storeId},"${app.name.replaceAll('"', '""')}"`
      : `${index + 1},${9_100_000_000 + index},App ${index}`,
  )
  return `rank,id,name\n${rows.join('\n')}\n`
}

interface Verifier {
  verify(body: string, headers: IncomingHttpHeaders): unknown
}

for (const module of ['standardwebhooks', 'svix'])
  test(`${module} verifies a webhook by its secret, and refuses one that was changed`, async () => {
    const { Webhook } = (await load(module)) as { Webhook: new (secret: string) => Verifier }
    const verifier = new Webhook(secret)
    const [message] = messages
    assert.ok(message)
    verifier.verify(message.body, message.headers)
    const { events } = JSON.parse(message.body) as { events: { title: string }[] }
    assert.deepEqual(
      events.map((event) => event.title),
      [title],
    )
    assert.throws(
      () => verifier.verify(message.body.replace('40 to 8', '40 to 1'), message.headers),
      /signature/i,
    )
  })

interface Entry {
  title: string
  link: string
  publishedAt: Date
}

/** How each reads a feed. */
const parsers: Readonly<Record<string, (xml: string) => Promise<Entry[]>>> = {
  async 'rss-parser'(xml) {
    const { default: Parser } = await load('rss-parser')
    const { items } = await new Parser().parseString(xml)
    return items.map(({ title, link, pubDate }: { title: string; link: string; pubDate: string }) => ({
      title,
      link,
      publishedAt: new Date(pubDate),
    }))
  },
  async feedparser(xml) {
    const { default: FeedParser } = await load('feedparser')
    const parser = new FeedParser({})
    parser.end(xml)
    const items: { title: string; link: string; pubdate: Date }[] = await Array.fromAsync(parser)
    return items.map(({ title, link, pubdate }) => ({ title, link, publishedAt: pubdate }))
  },
  async '@rowanmanning/feed-parser'(xml) {
    const { parseFeed } = await load('@rowanmanning/feed-parser')
    const { items } = parseFeed(xml)
    return items.map(({ title, url, published }: { title: string; url: string; published: Date }) => ({
      title,
      link: url,
      publishedAt: published,
    }))
  },
}

for (const [name, parse] of Object.entries(parsers))
  test(`${name} reads what the feed tells: title, page and time of observation`, async () => {
    const reply = await fetch(feedAddress)
    assert.match(reply.headers.get('content-type') ?? '', /^application\/atom\+xml/)
    assert.deepEqual(await parse(await reply.text()), [
      {
        title,
        link: `https://rivals.example/apps/${app.storeId}/ranks?country=de&categoryId=36&device=iphone`,
        publishedAt: observedAt,
      },
    ])
  })
