import { useEffect, useRef, useState } from 'react'
import { call, type ReplyOf } from '../../api/operations.ts'
import { count } from '../../evidence/format.ts'
import type { OrganicPost, PaidAd } from '../../evidence/shapes.ts'
import { adPlatformInWords, networkInWords } from '../../evidence/words.ts'
import { Button } from '../../ui/Button.tsx'
import { type CsvValue, saveCsv } from '../../ui/csv.ts'
import { Download } from '../../ui/icons.ts'
import { Dialog } from '../../ui/overlays.tsx'
import { Problem } from '../../ui/parts.tsx'
import { Bar } from '../../ui/WorkProgress.tsx'
import { saveAsJson } from './ad-export.ts'
import type { Medium, SavedMark } from './shapes.ts'
import { ZipLink } from './ZipLink.tsx'

/** Takes out what this account saved, as a file made in the browser. */
export function ExportSaved({ tag }: { tag: string | undefined }) {
  return (
    <Dialog
      title={tag === undefined ? 'Export all saved' : 'Export saved items with this tag'}
      trigger={<Button icon={<Download size={15} aria-hidden="true" />}>Export…</Button>}
    >
      <Export tag={tag} />
    </Dialog>
  )
}

type Format = 'csv' | 'json'

function Export({ tag }: { tag: string | undefined }) {
  const [progress, setProgress] = useState<Progress>()
  const [ended, setEnded] = useState<{ count: number } | { error: unknown }>()
  const running = useRef<AbortController>(undefined)
  // Closing the dialog stops the export.
  useEffect(() => () => running.current?.abort(), [])
  const start = async (format: Format) => {
    const control = new AbortController()
    running.current = control
    setEnded(undefined)
    setProgress({ done: 0, total: null })
    try {
      const saved = await readSaved(tag, control.signal, setProgress)
      const name = `saved-creatives-${new Date().toISOString().slice(0, 10)}`
      if (format === 'csv') saveCsv(`${name}.csv`, header, rowsOf(saved, location.origin))
      else saveAsJson(name, { exportedAt: new Date().toISOString(), tag: tag ?? null, ...saved })
      setEnded({ count: saved.ads.length + saved.posts.length })
    } catch (error) {
      if (!control.signal.aborted) setEnded({ error })
    }
    setProgress(undefined)
  }
  return (
    <div className="stack">
      <p>
        Saved ads and posts with notes and tags. CSV has one row for each, JSON all data with its sources; both
        link to the stored media. ZIP has both files and the media.
      </p>
      <div className="row">
        <Button look="primary" isPending={progress !== undefined} onPress={() => void start('csv')}>
          CSV
        </Button>
        <Button isPending={progress !== undefined} onPress={() => void start('json')}>
          JSON
        </Button>
        <ZipLink tag={tag}>ZIP with media</ZipLink>
      </div>
      {progress && (
        <>
          <p className="quiet">
            {count(progress.done)}
            {progress.total !== null && ` of ${count(progress.total)}`} loaded
          </p>
          <Bar name="Export" done={progress.done} total={progress.total} />
        </>
      )}
      {ended && 'count' in ended && (
        <p role="status">
          {ended.count === 0 ? 'Nothing saved: the file is empty.' : `Exported ${count(ended.count)}.`}
        </p>
      )}
      {ended && 'error' in ended && <Problem error={ended.error} />}
    </div>
  )
}

interface Progress {
  done: number
  /** Null while nobody has counted. */
  total: number | null
}

/** Reads all that this account saved, page after page: nothing of other accounts is in these replies. */
async function readSaved(
  tag: string | undefined,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Saved> {
  const saved: Saved = { ads: [], posts: [] }
  let ads: number | null = null
  const tell = (posts: number | null) =>
    onProgress({
      done: saved.ads.length + saved.posts.length,
      total: ads === null || posts === null ? null : ads + posts,
    })
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: ReplyOf<'search_paid_ads'> = await call(
      'search_paid_ads',
      { saved: true, limit: 100, ...(tag === undefined ? {} : { tag }), ...(cursor ? { cursor } : {}) },
      signal,
    )
    saved.ads.push(...page.items)
    ads = page.total.relation === 'exact' ? page.total.value : null
    cursor = page.nextCursor
    tell(null)
  }
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: ReplyOf<'list_saved_organic_content'> = await call(
      'list_saved_organic_content',
      { limit: 100, ...(tag === undefined ? {} : { tag: [tag] }), ...(cursor ? { cursor } : {}) },
      signal,
    )
    saved.posts.push(...page.items)
    cursor = page.nextCursor
    tell(cursor === null ? saved.posts.length : null)
  }
  return saved
}

/** What an account saved. */
interface Saved {
  ads: PaidAd[]
  posts: ReplyOf<'list_saved_organic_content'>['items']
}

const header = [
  'type',
  'id',
  'platform',
  'advertiser or author',
  'title',
  'text',
  'language',
  'start',
  'end',
  'run time (days)',
  'run time is',
  'views',
  'likes',
  'engagement rate',
  'outlier score',
  'apps',
  'saved at',
  'note',
  'tags',
  'link',
  'stored media',
] as const

/** A line for each saved ad and post. What is not measured is empty, and no zero. */
function rowsOf({ ads, posts }: Saved, origin: string): CsvValue[][] {
  return [
    ...ads.map((ad) => adRow(ad, origin)),
    ...posts.map(({ post, ...mark }) => postRow(post, mark, origin)),
  ]
}

function adRow(ad: PaidAd, origin: string): CsvValue[] {
  const creatives = ad.creatives.filter(({ current }) => current)
  const { daysRunning } = ad
  return [
    'ad',
    ad.archiveId,
    adPlatformInWords[ad.platform],
    known(ad.advertiser.name),
    joined(creatives.map(({ title }) => known(title))),
    joined(creatives.map(({ body }) => known(body))),
    known(ad.language),
    known(ad.deliveryStartedOn),
    known(ad.deliveryEndedOn),
    daysRunning.state === 'measured' ? daysRunning.value : null,
    daysRunning.state === 'measured' ? daysRunning.relation.replace('-', ' ') : null,
    null,
    null,
    null,
    null,
    appsOf(ad.links),
    ...markCells(ad.saved),
    ad.libraryUrl,
    keptOf(
      ad.creatives.flatMap(({ media }) => media),
      origin,
    ),
  ]
}

function postRow(post: OrganicPost, mark: SavedMark, origin: string): CsvValue[] {
  return [
    'post',
    post.postId,
    networkInWords[post.network],
    post.author.handle,
    known(post.title),
    known(post.text),
    known(post.language),
    known(post.publishedAt),
    null,
    null,
    null,
    known(post.metrics.views),
    known(post.metrics.likes),
    post.engagementRate.state === 'measured' ? post.engagementRate.value : null,
    post.outlierScore.state === 'measured' ? post.outlierScore.value : null,
    appsOf(post.links),
    ...markCells(mark),
    post.url,
    keptOf(post.media, origin),
  ]
}

type Given<Value> = { state: 'measured'; value: Value } | { state: 'absent' } | { state: 'not-measured' }

const known = <Value extends string | number>(fact: Given<Value>): Value | null =>
  fact.state === 'measured' ? fact.value : null

const joined = (texts: readonly (string | null)[]): string | null =>
  [...new Set(texts.filter((text) => text !== null))].join('\n\n') || null

const appsOf = (links: PaidAd['links']): string | null =>
  links.map(({ app }) => `${app.name ?? 'App'} (${app.storeId})`).join('; ') || null

const markCells = (mark: SavedMark | null): CsvValue[] => [
  mark?.savedAt ?? null,
  mark?.note ?? null,
  mark?.tags.join('; ') || null,
]

const keptOf = (media: readonly Medium[], origin: string): string | null =>
  media.flatMap(({ kept }) => (kept.status === 'stored' ? [new URL(kept.url, origin).href] : [])).join(' ') ||
  null
