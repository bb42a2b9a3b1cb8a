import { useEffect, useRef, useState } from 'react'
import { call, type ReplyOf } from '../../api/operations.ts'
import { count } from '../../evidence/format.ts'
import { Button } from '../../ui/Button.tsx'
import { saveCsv } from '../../ui/csv.ts'
import { Download } from '../../ui/icons.ts'
import { Dialog } from '../../ui/overlays.tsx'
import { Problem } from '../../ui/parts.tsx'
import { Bar } from '../../ui/WorkProgress.tsx'
import { saveAsJson } from './ad-export.ts'
import { header, rowsOf, type Saved } from './saved-rows.ts'

/** Takes out what this account saved, as a file made in the browser. */
export function ExportSaved({ tag }: { tag: string | undefined }) {
  return (
    <Dialog
      title={tag === undefined ? 'Export all saved' : 'Export saved with this tag'}
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
        Saved ads and posts with notes and tags. CSV has a line for each; JSON has all that is known, with its
        evidence. Kept media are links to this installation.
      </p>
      <div className="row">
        <Button look="primary" isPending={progress !== undefined} onPress={() => void start('csv')}>
          CSV
        </Button>
        <Button isPending={progress !== undefined} onPress={() => void start('json')}>
          JSON
        </Button>
      </div>
      {progress && (
        <>
          <p className="quiet">
            {count(progress.done)}
            {progress.total !== null && ` of ${count(progress.total)}`} read
          </p>
          <Bar name="Export" done={progress.done} total={progress.total} />
        </>
      )}
      {ended && 'count' in ended && (
        <p role="status">
          {ended.count === 0 ? 'Nothing is saved; the file is empty.' : `Exported ${count(ended.count)}.`}
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
