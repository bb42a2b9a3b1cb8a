import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type SnapAd, type SnapMood, snapAnswer } from '../../sample/upstream/snap.ts'

/** What was asked of a made-up Snap. */
interface SnapQuestion {
  /** With the query. */
  path: string
  body: string
}

export interface PlayedSnap extends AsyncDisposable {
  url: string
  ads: SnapAd[]
  /** What it does with a question; may be changed at any time. */
  mood: (question: SnapQuestion) => SnapMood
  questions: SnapQuestion[]
}

/** Snap's ads library on loopback, over some ads. */
export async function startSnap(ads: SnapAd[] = []): Promise<PlayedSnap> {
  const server = createServer(async (incoming, reply) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of incoming) chunks.push(chunk as Uint8Array)
    const question = { path: incoming.url ?? '', body: Buffer.concat(chunks).toString() }
    played.questions.push(question)
    const url = new URL(question.path, 'http://snap.invalid')
    const answer = snapAnswer(played.ads, { url, body: question.body }, played.mood(question))
    reply.writeHead(answer?.status ?? 404, { 'content-type': answer?.type ?? 'text/plain' }).end(answer?.body)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const played: PlayedSnap = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ads,
    mood: () => 'answers',
    questions: [],
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
  return played
}

/** An ad as Snap's library shows it; the first of an advertiser is number 1. */
export const snapAd = (payer: string, number: number, more: object = {}): SnapAd => ({
  id: `e3f1a9c2-88b4-4e77-9c1a-${String(number).padStart(12, '0')}`,
  name: 'EU_2026_Prospecting',
  ad_account_name: `${payer} EU`,
  status: 'ACTIVE',
  creative_type: 'WEB_VIEW',
  ad_type: 'REMOTE_WEBPAGE',
  ad_render_type: 'STATIC',
  languages: ['de', 'en'],
  headline: `Small tides ${number}`,
  call_to_action: 'SHOP NOW',
  top_snap_media_type: 'VIDEO',
  top_snap_media_download_link: `https://cf-st.sc-cdn.net/d/${number}.mp4`,
  start_date: '2026-02-01T00:00:00.000Z',
  impressions_total: 170_000,
  impressions_map: { de: 169_998, el: 2, fr: 0, tr: 0 },
  targeting_v2: { regulated_content: false, demographics: [{ min_age: '18' }] },
  paying_advertiser_name: payer,
  profile_name: payer.split(/[ ,]/)[0],
  web_view_properties: { url: `https://example.com/tides?utm_campaign=spring_${number}` },
  review_status: 'APPROVED',
  rejection_reasons: [],
  ...more,
})
