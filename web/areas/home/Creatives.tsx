import { Link, useSearch } from '@tanstack/react-router'
import { useReplies } from '../../api/replies.ts'
import { Fact, Measured } from '../../evidence/Fact.tsx'
import { compactNumber, countWithNoun, dayText } from '../../evidence/format.ts'
import type { AppLabel, OrganicPost, PaidAd, TrackedAppSummary } from '../../evidence/shapes.ts'
import { adPlatformInWords, networkInWords } from '../../evidence/words.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import styles from './home.module.css'
import { newRows, type SinceDays } from './moves.ts'
import { MoveRow, Section, spanNote } from './Section.tsx'

/** Ads that began and posts that were published for tracked apps, of the newest hundred. One search answers for all of them. */
export function Creatives({ apps, days }: { apps: readonly TrackedAppSummary[]; days: SinceDays }) {
  const { all = false } = useSearch({ from: '/' })
  const competitor = [...new Set(apps.map(({ app }) => app.storeId))]
  const asked = competitor.length === 0 ? [] : [{ competitor, limit: 100, sort: 'recent' as const }]
  const ads = useReplies('search_paid_ads', asked)
  const posts = useReplies('search_organic_content', asked)
  const tracked = new Set(competitor)
  // Each library and network of each app is looked at by itself.
  const subjectsOf = (of: string, links: Links) =>
    links.flatMap(({ app: { storeId } }) => (tracked.has(storeId) ? [`${storeId} ${of}`] : []))
  const newAds = newRows(
    (ads.replies[0]?.items ?? []).map((row) => ({
      row,
      began: dayIn(row.deliveryStartedOn),
      observed: row.evidence.map(({ observedAt }) => observedAt),
      subjects: subjectsOf(row.platform, row.links),
    })),
    days,
  )
  const newPosts = newRows(
    (posts.replies[0]?.items ?? []).map((row) => ({
      row,
      began: dayIn(row.publishedAt),
      observed: row.evidence.map(({ observedAt }) => observedAt),
      subjects: subjectsOf(row.network, row.links),
    })),
    days,
  )
  return (
    <>
      <Section
        title="New ads"
        reading={ads.reading}
        rows={newAds.rows}
        row={(ad) => <AdRow key={`${ad.platform} ${ad.archiveId}`} ad={ad} tracked={tracked} />}
        all={all}
        none={
          newAds.looked.apps.length === 0
            ? 'No ads of tracked apps collected yet.'
            : 'No new ads of tracked apps found. Ad libraries do not show every ad.'
        }
        note={spanNote(newAds.looked, days, 'ad source')}
      />
      <Section
        title="New posts"
        reading={posts.reading}
        rows={newPosts.rows.toSorted((a, b) => viewsOf(b) - viewsOf(a))}
        row={(post) => <PostRow key={post.postId} post={post} tracked={tracked} />}
        all={all}
        none={
          newPosts.looked.apps.length === 0
            ? 'No posts about tracked apps collected yet.'
            : 'No new posts about tracked apps found.'
        }
        note={spanNote(newPosts.looked, days, 'post source')}
      />
    </>
  )
}

type Links = readonly { app: AppLabel }[]

const dayIn = (fact: { state: string; value?: unknown }): string | undefined =>
  fact.state === 'measured' ? String(fact.value) : undefined

const viewsOf = ({ metrics: { views } }: OrganicPost) => (views.state === 'measured' ? views.value : -1)

function AdRow({ ad, tracked }: { ad: PaidAd; tracked: ReadonlySet<string> }) {
  const app = appOf(ad.links, tracked)
  const { name } = ad.advertiser
  const text = ad.creatives
    .flatMap(({ title, body }) => [title, body])
    .find((fact) => fact.state === 'measured')
  return (
    <MoveRow
      icon={<AppIcon url={app?.iconUrl} name={app?.name ?? null} />}
      what={
        <>
          <Link
            to="/creatives/ads/$platform/$archiveId"
            params={{ platform: ad.platform, archiveId: ad.archiveId }}
            className={`${styles.subject} cut ink medium`}
          >
            <bdi>{text?.state === 'measured' ? text.value : `Ad ${ad.archiveId}`}</bdi>
          </Link>
          <span className={`${styles.whose} row nowrap stretch small nobreak`}>
            <bdi>{app?.name ?? app?.storeId}</bdi>
            <span className="quiet">
              {adPlatformInWords[ad.platform]}
              {name.state === 'measured' && (
                <>
                  , by <bdi>{name.value}</bdi>
                </>
              )}
            </span>
          </span>
        </>
      }
      numbers={
        ad.daysRunning.state === 'measured' && (
          <Measured formula={ad.daysRunning.formula} evidence={ad.evidence[0]}>
            active for {ad.daysRunning.relation === 'at-least' && 'at least '}
            {countWithNoun(ad.daysRunning.value, 'day')}
          </Measured>
        )
      }
      when={
        <Fact fact={ad.deliveryStartedOn} evidence={ad.evidence} format={(day) => `started ${dayText(day)}`} />
      }
    />
  )
}

function PostRow({ post, tracked }: { post: OrganicPost; tracked: ReadonlySet<string> }) {
  const app = appOf(post.links, tracked)
  const text = [post.title, post.text].find((fact) => fact.state === 'measured')
  return (
    <MoveRow
      icon={<AppIcon url={app?.iconUrl} name={app?.name ?? null} />}
      what={
        <>
          <Link
            to="/creatives/posts/$postId"
            params={{ postId: post.postId }}
            className={`${styles.subject} cut ink medium`}
          >
            <bdi>{text?.state === 'measured' ? text.value : `Post ${post.postId}`}</bdi>
          </Link>
          <span className={`${styles.whose} row nowrap stretch small nobreak`}>
            <bdi>{app?.name ?? app?.storeId}</bdi>
            <span className="quiet">
              {networkInWords[post.network]}
              {post.author.handle && (
                <>
                  , <bdi>{post.author.handle}</bdi>
                </>
              )}
            </span>
          </span>
        </>
      }
      numbers={
        <span>
          <Fact fact={post.metrics.views} evidence={post.evidence} format={compactNumber} />{' '}
          <span className="quiet">views</span>
        </span>
      }
      when={<Fact fact={post.publishedAt} evidence={post.evidence} format={dayText} />}
    />
  )
}

const appOf = (links: readonly { app: AppLabel }[], tracked: ReadonlySet<string>): AppLabel | undefined =>
  (links.find(({ app }) => tracked.has(app.storeId)) ?? links[0])?.app
