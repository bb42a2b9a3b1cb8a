import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import sharp from 'sharp'
import { archiveMediaOf } from '../../src/domain/media/archive-media.ts'
import { type ArchiveOwner, mediaIdOf, mediaOwnerKey } from '../../src/domain/media/media-id.ts'
import type { MediaNetwork } from '../../src/sources/media/media-source.ts'
import { openFolder } from './files.ts'
import { importPosts } from './posts.ts'
import type { World } from './world.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** The media hosts of all networks, played by one server on loopback; only the connection to the address is replaced. */
export interface PlayedHosts extends AsyncDisposable {
  network: MediaNetwork
  /** Their common port. */
  port: number
  /** `host/path` of every request that arrived. */
  asked: string[]
  /** Sets the answer of `https://host/path`. */
  answer(address: string, answer: Answer): void
  /** Sets the addresses of a host; a public one by default, resolved for each request. */
  addresses(host: string, addresses: () => string[]): void
}

/** Some public address. */
const somewhere = '93.184.216.34'

/** A network that maps every host to one port of loopback. */
export function networkAt(port: number): MediaNetwork {
  return {
    addressesOf: async () => [somewhere],
    send: ({ path, headers, agent }, signal) =>
      new Promise((resolve, reject) => {
        const sent = request({ host: '127.0.0.1', port, path, headers: headers ?? {}, agent, signal }, resolve)
        sent.on('error', reject).end()
      }),
  }
}

export async function playHosts(): Promise<PlayedHosts> {
  const answers = new Map<string, Answer>()
  const known = new Map<string, () => string[]>()
  const asked: string[] = []
  const server = createServer((incoming, response) => {
    const address = `${incoming.headers.host}${incoming.url}`
    asked.push(address)
    const answer = answers.get(address)
    if (answer) answer(incoming, response)
    else response.writeHead(404).end('nothing here')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    asked,
    port,
    network: {
      ...networkAt(port),
      addressesOf: async (host) => (known.get(host) ?? (() => [somewhere]))(),
    },
    answer: (address, answer) => void answers.set(address, answer),
    addresses: (host, addresses) => void known.set(host, addresses),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const sends =
  (body: Uint8Array | string, headers: Record<string, string> = {}, status = 200): Answer =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body)

/** A small picture of one colour. */
export const png = (red: number, width = 8): Promise<Buffer> =>
  sharp({ create: { width, height: 8, channels: 3, background: { r: red, g: 80, b: 120 } } })
    .png()
    .toBuffer()

/** The header of an MP4 as cameras write it, with arbitrary bytes after it. */
export function mp4(sizeBytes: number): Buffer {
  const box = Buffer.from('\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41', 'latin1')
  return Buffer.concat([box, Buffer.alloc(sizeBytes - box.length, 7)])
}

/** Each file observes later than the one before. */
let minutes = 0
const later = () => new Date(Date.UTC(2026, 2, 1) + 60_000 * ++minutes).toISOString()

/** A post with media at these addresses, imported. @returns its id */
export async function importPost(
  world: World,
  nativeId: string,
  media: { kind: 'video' | 'image' | 'thumbnail'; url: string | null }[],
): Promise<string> {
  const postId = `instagram_${nativeId}`
  await importPosts(world, [{ postId, media, observedAt: later() }])
  return postId
}

/** An ad of one creative with these media, imported. @returns the id of the creative */
export async function importAd(world: World, archiveId: string, media: { kind: string; url: string }[]) {
  using folder = openFolder()
  const ad = {
    platform: 'meta',
    archiveId,
    advertiser: { id: '1', name: 'Umbrellas' },
    creatives: [{ text: 'Stay dry.', media }],
    observedAt: later(),
  }
  const path = folder.write('ad.ndjson', JSON.stringify(ad))
  await world.import({ kind: 'paid-ads', paths: [path] })
  const { body } = await world.call('get_paid_ad', { platform: 'meta', archiveId })
  return body.creatives[0].creativeId as string
}

export const mediumOf = (postId: string, position = 1, kind: 'image' | 'video' = 'image') =>
  mediaIdOf({ postId }, kind, position)

/** Requests copies, as saving does. */
export const keep = (world: World, owner: ArchiveOwner) =>
  world.store.db.transaction().execute((transaction) => archiveMediaOf(transaction, world.enqueue, owner))

/** Number of works on copies of an owner, ended or not. */
export async function worksOn(
  world: World,
  owner: ArchiveOwner,
): Promise<{ status: string; attempts: number }[]> {
  const found = await sql<{ status: string; attempts: number }>`
    select status, attempts from work where kind = 'archive-media' and subject = ${mediaOwnerKey(owner)} order by work_id`.execute(
    world.store.db,
  )
  return found.rows
}
