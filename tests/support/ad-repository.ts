import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Repository, type RepositoryAd, repositoryAnswer } from '../../sample/ad-repository.ts'

const dayMs = 86_400_000

/** Days since 1970. */
export const dayNumber = (day: string): number => Date.parse(day) / dayMs

/** What the repository does instead of its usual answer. */
interface RepositoryMood {
  status?: number
  body?: string
  headers?: Record<string, string>
  /** Breaks the connection after so many bytes. */
  cutAt?: number
  /** Changes the usual answer. */
  edit?: (document: Record<string, unknown>) => unknown
}

/** The made-up repository on loopback, with moods, on a day that the test sets. */
export interface PlayedRepository extends AsyncDisposable {
  url: string
  ads: RepositoryAd[]
  /** `YYYY-MM-DD`. */
  today: string
  /** Paths with their queries, and the media types that were accepted. */
  requests: { path: string; accept: string }[]
  behave(mood: RepositoryMood, times?: number): void
  recover(): void
}

export async function startAdRepository(ads: RepositoryAd[], today: string): Promise<PlayedRepository> {
  let moods: { mood: RepositoryMood; times: number }[] = []
  const played: PlayedRepository = {
    url: '',
    ads,
    today,
    requests: [],
    behave: (mood, times = Number.POSITIVE_INFINITY) => void moods.push({ mood, times }),
    recover() {
      moods = []
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
  const server = createServer((request, reply) => {
    const path = request.url ?? '/'
    const accept = request.headers.accept ?? ''
    played.requests.push({ path, accept })
    const repository: Repository = { today: () => dayNumber(played.today), ads: played.ads }
    const usual = repositoryAnswer(repository, new URL(path, 'http://played'), accept)
    const found = moods.find(({ times }) => times > 0)
    if (found) found.times--
    const { status, body, headers, cutAt, edit } = found?.mood ?? {}
    const told = body ?? (edit ? JSON.stringify(edit(JSON.parse(usual.body))) : usual.body)
    reply.writeHead(status ?? usual.status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(told),
      ...headers,
    })
    if (cutAt === undefined) reply.end(told)
    else reply.write(told.slice(0, cutAt), () => reply.destroy())
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  played.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return played
}

/** An ad of an app, shown in some countries from a day to another. */
export function repositoryAd(
  given: Partial<RepositoryAd> & { countries?: readonly string[]; from?: string; to?: string },
): RepositoryAd {
  const { countries = ['DE'], from = '2026-09-01', to = '2026-12-31', ...more } = given
  return {
    adId: '450ae6c28afe75f202596fe4d006d985',
    appId: 6449120387,
    appName: 'Tidepool Habits',
    developerId: 1449120300,
    developerName: 'Tidepool',
    legalName: 'Tidepool Labs Ltd',
    placement: 'APPSTORE_SEARCH_RESULTS',
    format: 'Icon + Asset Ad',
    subFormat: 'medium_1',
    shown: countries.map((country) => ({ country, first: dayNumber(from), last: dayNumber(to) })),
    languages: [
      {
        tag: 'de-DE',
        name: 'German',
        appName: 'Tidepool: Gewohnheiten',
        subtitle: 'Gewohnheiten',
        text: 'Kleine Schritte, jeden Tag. 30 Tage kostenlos testen.',
      },
      {
        tag: 'en-GB',
        name: 'English (UK)',
        appName: 'Tidepool Habits',
        subtitle: 'Habits',
        text: 'Small steps, every day. Try it free for 30 days.',
      },
    ],
    icon: 'https://is1-ssl.mzstatic.com/image/thumb/icon/512x512bb.jpg',
    assets: [
      {
        kind: 'image',
        url: 'https://is1-ssl.mzstatic.com/image/thumb/one/600x1300bb.jpg',
        width: 600,
        height: 1300,
      },
    ],
    ...more,
  }
}
