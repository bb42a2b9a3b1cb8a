import { type ReactNode, useEffect, useId } from 'react'
import { problemInWords } from '../api/problems.ts'
import { count, countryName, momentText, timeAgo } from '../evidence/format.ts'
import type { SourceIssue } from '../evidence/shapes.ts'
import { Button } from './Button.tsx'
import { customProperties } from './css.ts'
import { RotateCw, TriangleAlert } from './icons.ts'
import styles from './parts.module.css'

/** A page: its title, what can be done with all of it, and its content. */
export function Page({
  title,
  picture,
  subtitle,
  actions,
  children,
}: {
  title: string
  /** Before the title: the icon of what the page is about. */
  picture?: ReactNode
  subtitle?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Rivalscope`
  }, [title])
  return (
    <div className={`${styles.page} stack gap-4`}>
      {/* Made anew with its title: what stands beside it may be wider or higher then, and nothing of it would move. */}
      <header key={title} className="row gap-4 rows-2">
        {picture}
        <div className={styles.title}>
          <h1 className="foreign">
            <bdi>{title}</bdi>
          </h1>
          {subtitle && <div className="quiet">{subtitle}</div>}
        </div>
        {actions && (
          <div className="row" data-screen-only>
            {actions}
          </div>
        )}
      </header>
      {children}
    </div>
  )
}

/** A part of a page with a heading of its own. */
export function Panel({
  title,
  note,
  actions,
  flush = false,
  children,
}: {
  title: string
  note?: ReactNode
  actions?: ReactNode
  /** Lets tables and charts reach the edge. */
  flush?: boolean
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className={`${styles.panel} box shrinks`} aria-labelledby={id}>
      <header className={`${styles.panelHead} row gap-4 rows-2 pad-2-4 rule-below`}>
        <div className={styles.title}>
          <h2 id={id}>{title}</h2>
          {note && <div className="quiet small">{note}</div>}
        </div>
        {actions && (
          <div className="row" data-screen-only>
            {actions}
          </div>
        )}
      </header>
      <div className={flush ? '' : styles.panelBody}>{children}</div>
    </section>
  )
}

/** A number with its name, for the top of a page. */
export function Figure({ name, children, note }: { name: string; children: ReactNode; note?: ReactNode }) {
  return (
    <div className={`${styles.figure} pad shrinks`}>
      <dt className="small">{name}</dt>
      <dd className="large bold anywhere">{children}</dd>
      {note && <dd className="quiet small">{note}</dd>}
    </div>
  )
}

export const Figures = ({ children }: { children: ReactNode }) => (
  <dl className="tiles spread gap-0 box clipped" style={customProperties({ '--tile': '150px' })}>
    {children}
  </dl>
)

const tones = {
  plain: customProperties({ '--frame': 'var(--border)', '--ground': 'var(--surface)' }),
  good: customProperties({ '--tone': 'var(--good)', '--ground': 'var(--good-fill)' }),
  bad: customProperties({ '--tone': 'var(--bad)', '--ground': 'var(--bad-fill)' }),
  warn: customProperties({ '--tone': 'var(--warn)', '--ground': 'var(--warn-fill)' }),
  accent: customProperties({ '--tone': 'var(--accent)', '--ground': 'var(--selected)' }),
}

/** A word or two that say what something is. Its tone never says more than its words. */
export function Badge({
  children,
  tone = 'plain',
  named = false,
}: {
  children: ReactNode
  tone?: keyof typeof tones
  /** A name that somebody else chose is in it: it breaks where there is no room. */
  named?: boolean
}) {
  return (
    <span className={`${styles.badge} ${named ? styles.named : ''}`} style={tones[tone]}>
      {children}
    </span>
  )
}

/** Nothing to show, and what to do next. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className={`${styles.empty} stack center gap-2`}>
      <p className="bold">{title}</p>
      {children && <div className="quiet">{children}</div>}
      {action}
    </div>
  )
}

/** A failure: what happened, what can be done, and the request id. */
export function Problem({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const { text, advice, requestId, again } = problemInWords(error)
  return (
    <div className="row nowrap top gap-3 pad rounded bad-fill ink" role="alert">
      <TriangleAlert size={16} aria-hidden="true" className={`${styles.sign} bad`} />
      <div className="grow">
        <strong>{text}</strong>
        {advice && <p>{advice}</p>}
        {requestId && (
          <p className="quiet">
            Request ID <code>{requestId}</code>
          </p>
        )}
      </div>
      {retry && again && (
        <Button small icon={<RotateCw size={13} aria-hidden="true" />} onPress={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}

/** Stands where something will be, of its size, so that nothing jumps. */
export function Skeleton({ height, width = '100%' }: { height: number | string; width?: number | string }) {
  return <div className={styles.skeleton} style={{ height, width }} aria-hidden="true" data-loading="" />
}

/** Shows a query: its skeleton, its failure, or its reply. What was loaded stays while it is read anew. */
export function Loaded<Reply>({
  query,
  skeleton,
  children,
}: {
  query: { data: Reply | undefined; error: unknown; isPending: boolean; refetch: () => unknown }
  skeleton: ReactNode
  children: (reply: Reply) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <Problem error={query.error} retry={() => void query.refetch()} />
  return (
    <div aria-busy="true">
      <span className="hidden">Loading</span>
      {skeleton}
    </div>
  )
}

/** Sources behind what is shown that are not well, with since when. */
export function SourceIssues({ trouble }: { trouble: readonly SourceIssue[] }) {
  if (trouble.length === 0) return null
  return (
    <ul className="stack gap-2 pad rounded warn-fill" aria-label="Source issues">
      {trouble.map(({ source, surface, country, kind, since, text }) => (
        <li key={`${source} ${surface} ${country} ${kind}`} className="row nowrap stretch">
          <TriangleAlert size={14} aria-hidden="true" className={`${styles.sign} warn`} />
          <span>
            <strong>{text}</strong>{' '}
            <span className="quiet">
              {source}
              {country ? `, ${countryName(country)}` : ''}, since{' '}
              <time dateTime={since}>{momentText(since)}</time> ({timeAgo(since)})
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** A bar of filters above a list. */
export const Filters = ({ children, label = 'Filters' }: { children: ReactNode; label?: string }) => (
  <search className={`${styles.filters} row bottom gap-3`} aria-label={label} data-screen-only>
    {children}
  </search>
)

/** Asks for the next page of a list, and tells when that failed; nothing where there is no more. */
export function MorePages({
  query,
  shown,
}: {
  query: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError?: boolean
    fetchNextPage: () => unknown
    error?: unknown
  }
  shown: number
}) {
  if (!query.hasNextPage) return null
  if (query.isFetchNextPageError)
    return <Problem error={query.error} retry={() => void query.fetchNextPage()} />
  return (
    <div className="row nowrap middle gap-3" style={{ padding: 'var(--space-3)' }} data-screen-only>
      <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
        Show more
      </Button>
      <span className="quiet">{count(shown)} shown</span>
    </div>
  )
}
