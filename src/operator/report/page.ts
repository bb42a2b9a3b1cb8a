import { dayInWords } from '../../text/days.ts'
import { escapeHtml } from '../../text/markup.ts'
import { supplierRow } from '../../vocabulary/suppliers.ts'
import type { AppWeek } from './app-week.ts'
import type { AdOfWeek, CreativesWeek, PostOfWeek } from './creatives.ts'
import type { EmergingApp } from './emerging.ts'
import type { RankedWeek } from './ranks.ts'
import { sparkline } from './sparkline.ts'
import { styles } from './styles.ts'
import type { Week } from './week.ts'
import type { WeeklyReport } from './weekly-report.ts'
import {
  changeInWords,
  countryName,
  countWithNoun,
  daysMeasured,
  formatNumber,
  listingChangeInWords,
  momentText,
  moveDirection,
  rankInWords,
  ratingsInWords,
  totalInWords,
  truncateText,
  weekInWords,
} from './words.ts'

/** Items shown of each list; the rest is only counted. */
const most = { charts: 3, keywords: 6, changes: 5, stopped: 3, notMeasured: 8 }
const longestText = 90

export const reportTitle = (week: Week) =>
  `Weekly report, ${weekInWords(week)}${week.isRunning ? ' (so far)' : ''}`

/**
 * The report as a self-contained page: no script, no external request, and all untrusted text escaped. It links only to
 * pages of the workstation, and to posts.
 * @param publicUrl where links to the workstation lead, without a slash at the end; empty for the address it is shown at; none are
 * made without
 */
export function reportPage(report: WeeklyReport, publicUrl: string | undefined): string {
  const { account, week, apps } = report
  const title = reportTitle(week)
  const own = apps.filter(({ role }) => role === 'own')
  const links = linksTo(publicUrl)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<meta name="referrer" content="no-referrer">
<base target="_blank">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${styles}</style>
</head>
<body>
<main>
<header>
<h1>${escapeHtml(title)}</h1>
<p class="quiet">Account ${name(account)}. Days end at midnight in ${escapeHtml(week.timeZone)}; ranks use the days of their storefront.</p>
</header>
${section('Summary', list(inShort(report)))}
${own.map((app) => section(`${appName(app, links)}`, ownApp(app, week))).join('\n')}
${section('Competitors and watchlist', rivals(apps, week, links))}
${section('Creatives', creatives(report, links))}
${section('Emerging apps', emerging(report, links))}
${section('Data coverage', sure(report))}
<footer class="quiet">Made by Rivalscope on ${escapeHtml(momentText(report.madeAt, week.timeZone))} from the data collected until then.</footer>
</main>
</body>
</html>
`
}

/** Wraps markup in a link to a page; returns the markup alone where no service address is known. */
type Links = (path: string, markup: string) => string

const linksTo =
  (publicUrl: string | undefined): Links =>
  (path, markup) =>
    publicUrl === undefined ? markup : `<a href="${escapeHtml(`${publicUrl}${path}`)}">${markup}</a>`

const section = (heading: string, content: string) => `<section>\n<h2>${heading}</h2>\n${content}\n</section>`

const list = (items: readonly string[]) => `<ul>${items.map((item) => `<li>${item}</li>`).join('\n')}</ul>`

const quiet = (markup: string) => `<span class="quiet">${markup}</span>`

/** An untrusted name, isolated since it may be written from right to left. */
const name = (text: string) => `<bdi>${escapeHtml(truncateText(text, 60))}</bdi>`

const appName = (
  { name: given, storeId, country }: Pick<AppWeek, 'name' | 'storeId' | 'country'>,
  links: Links,
) => `${links(`/apps/${storeId}?country=${country}`, name(given))} ${quiet(escapeHtml(countryName(country)))}`

/** A summary in a few sentences. */
function inShort({
  week,
  apps,
  creatives: found,
  emerging: { total },
  sure: { notMeasured, unseen },
}: WeeklyReport): string[] {
  const own = apps.filter(({ role }) => role === 'own')
  const others = apps.filter(({ role }) => role !== 'own')
  const changed = others.filter(({ changes }) => changes.length > 0)
  return [
    ...(own.length === 0 ? ['No app is marked as “My app”.'] : own.map(standing)),
    others.length === 0
      ? 'No competitors tracked.'
      : changed.length === 0
        ? 'No listing changes of competitors or the watchlist seen.'
        : `${formatNumber(changed.length)} of ${countWithNoun(others.length, 'other tracked app')} changed the listing or released a version: ${changed.map((app) => name(app.name)).join(', ')}.`,
    unseen.ads
      ? 'No ad data collected.'
      : `${totalInWords(found.startedTotal, 'ad')} started, ${stoppedInWords(found)} ended.`,
    `${totalInWords(found.postsTotal, 'collected post')} published in the week; ${unseen.emerging ? 'emerging apps not checked' : countWithNoun(total, 'emerging app')}.`,
    notMeasured.length === 0
      ? `Everything tracked has data ${week.isRunning ? 'so far this week' : 'for the week'}.`
      : `${countWithNoun(notMeasured.length, 'gap')} in the data: see Data coverage.`,
  ]
}

function standing({
  name: given,
  country,
  charts: [chart],
  keywords: { movement, distribution },
}: AppWeek): string {
  const inKeywords =
    distribution.keywords === 0
      ? 'no keywords tracked'
      : `${formatNumber(movement.climbed + movement.entered)} of ${countWithNoun(distribution.keywords, 'keyword')} up, ${formatNumber(movement.fallen + movement.left)} down, ${formatNumber(distribution.top10)} in the top 10`
  return `${name(given)} ${quiet(escapeHtml(countryName(country)))}: ${chart ? placeInWords(chart) : 'not in any collected chart'}; ${inKeywords}.`
}

function placeInWords({ name: chart, last, change }: RankedWeek): string {
  const moved = moveDirection(change) === undefined ? '' : ` (${changeInWords(change)})`
  return last.state === 'measured'
    ? `#${last.value} in ${escapeHtml(chart)}${moved}`
    : `${rankInWords(last)} in ${escapeHtml(chart)}${moved}`
}

function ownApp({ charts, keywords, ratings, changes }: AppWeek, week: Week): string {
  const { distribution, movement, moved } = keywords
  const known = distribution.keywords - distribution.notMeasured
  return [
    `<p>${escapeHtml(ratingsInWords(ratings))}. ${changes.length === 0 ? 'No listing changes seen.' : `The app ${changesInWords(changes)}.`}</p>`,
    ranksTable(
      'Charts',
      'Change',
      charts.slice(0, most.charts),
      week,
      charts.length === 0
        ? 'Not in any chart collected in these four weeks.'
        : more(charts.length - most.charts, 'chart'),
    ),
    distribution.keywords === 0
      ? `<p>${quiet('No keywords tracked.')}</p>`
      : `<p>${countWithNoun(distribution.keywords, 'keyword')}, ${formatNumber(known)} with data: ${distribution.top3} in the top 3, ${distribution.top10} in the top 10, ${distribution.top50} in the top 50. Compared with a week before: ${movement.climbed} up, ${movement.fallen} down, ${movement.entered} new, ${movement.left} out, ${movement.unchanged} unchanged, ${movement.notMeasured} without data.</p>${ranksTable('Keyword rank changes', '7-day change', moved.slice(0, most.keywords), week, moved.length === 0 ? 'No rank changes in the collected data.' : more(moved.length - most.keywords, 'keyword'))}`,
  ].join('\n')
}

const more = (count: number, what: string) => (count > 0 ? `${countWithNoun(count, `more ${what}`)}.` : '')

function ranksTable(
  heading: string,
  compared: string,
  rows: readonly RankedWeek[],
  week: Week,
  note: string,
): string {
  const told = note === '' ? '' : `<p>${quiet(escapeHtml(note))}</p>`
  if (rows.length === 0) return told
  return `<table class="ranks"><thead><tr><th scope="col">${heading}</th><th scope="col" class="drawn">Four weeks</th><th scope="col">First</th><th scope="col">Last</th><th scope="col">Best</th><th scope="col">${compared}</th><th scope="col">Days with data</th></tr></thead>
<tbody>${rows.map((row) => rankRow(row, week)).join('\n')}</tbody></table>${told}`
}

const rankRow = (row: RankedWeek, week: Week) =>
  `<tr><th scope="row">${name(row.name)}</th><td class="drawn">${sparkline(row.drawn, week.days.length)}</td><td>${rankInWords(row.first)}</td><td>${rankInWords(row.last)}</td><td>${row.best === undefined ? '–' : `#${row.best}`}</td><td class="${moveDirection(row.change) ?? 'quiet'}">${changeInWords(row.change)}</td><td>${daysMeasured(row, week)}</td></tr>`

/** The distinct changes as one phrase, to follow the name of an app. */
function changesInWords(changes: AppWeek['changes']): string {
  const shown = changes.slice(0, most.changes).map(listingChangeInWords)
  const rest = changes.length - shown.length
  return escapeHtml(
    [...shown, ...(rest > 0 ? [`changed ${countWithNoun(rest, 'more field')}`] : [])].join('; '),
  )
}

function rivals(apps: readonly AppWeek[], week: Week, links: Links): string {
  const others = apps.filter(({ role }) => role !== 'own')
  const names = new Map(apps.map((app) => [app.appId, app.name]))
  const whose = ({ rivalOf }: AppWeek) => {
    const own = rivalOf === null ? undefined : names.get(rivalOf)
    return own === undefined ? '' : ` ${quiet(`competitor of ${name(own)}`)}`
  }
  if (others.length === 0) return `<p>${quiet('No other apps tracked.')}</p>`
  return `<table class="rivals"><thead><tr><th scope="col">App</th><th scope="col">Best chart</th><th scope="col">Ratings</th><th scope="col">Changes</th></tr></thead>
<tbody>${others
    .map((app) => {
      const [chart] = app.charts
      const place = chart
        ? `${rankInWords(chart.first)} to ${rankInWords(chart.last)} ${quiet(`${escapeHtml(chart.name)}, ${daysMeasured(chart, week)} days`)}`
        : quiet('not in any collected chart')
      const what = app.changes.length === 0 ? quiet('no changes seen') : changesInWords(app.changes)
      return `<tr><th scope="row">${appName(app, links)}${whose(app)}</th><td>${place}</td><td>${escapeHtml(ratingsInWords(app.ratings))}</td><td>${what}</td></tr>`
    })
    .join('\n')}</tbody></table>`
}

function creatives({ apps, creatives: found }: WeeklyReport, links: Links): string {
  const names = new Map(apps.map((app) => [app.storeId, app.name]))
  const whose = (storeIds: readonly string[]) =>
    storeIds.map((storeId) => name(names.get(storeId) ?? storeId)).join(', ')
  const ad = (one: AdOfWeek, when: string) =>
    `${links(`/creatives/ads/${one.platform}/${one.archiveId}`, name(one.text ?? `Ad ${one.archiveId}`))} ${quiet(`${whose(one.storeIds)}, ${supplierRow(one.platform).label}${one.advertiser === undefined ? '' : `, by ${name(one.advertiser)}`}, ${when}`)}`
  return [
    part(
      `New ads: ${totalInWords(found.startedTotal, 'ad')}`,
      found.started.map((one) =>
        ad(one, one.startedOn === undefined ? 'started' : `started ${dayInWords(one.startedOn)}`),
      ),
      'No new ads of tracked apps collected. Ad libraries do not show every ad.',
    ),
    part(
      `Ended ads: ${stoppedInWords(found)}`,
      found.stopped
        .slice(0, most.stopped)
        .map((one) => ad(one, one.endedOn === undefined ? 'ended' : `ended ${dayInWords(one.endedOn)}`)),
      'No active ad was seen to end.',
    ),
    part(
      `Posts with most views, of ${totalInWords(found.postsTotal, 'post')}`,
      found.posts.map((post) => postLine(post, whose)),
      'No posts of the week about tracked apps collected.',
    ),
  ].join('\n')
}

const stoppedInWords = ({ stopped, stoppedCut }: CreativesWeek) =>
  `${stoppedCut ? 'at least ' : ''}${countWithNoun(stopped.length, 'ad')}`

const part = (heading: string, items: readonly string[], none: string) =>
  items.length === 0
    ? `<p><strong>${escapeHtml(heading)}.</strong> ${quiet(escapeHtml(none))}</p>`
    : `<h3>${escapeHtml(heading)}</h3>${list(items)}`

function postLine(
  { postId, network, url, storeIds, author, text, views, timesUsual }: PostOfWeek,
  whose: (storeIds: readonly string[]) => string,
): string {
  const words = `<bdi>${escapeHtml(truncateText(text ?? `Post ${postId}`, longestText))}</bdi>`
  const linked = /^https?:\/\//i.test(url)
    ? `<a href="${escapeHtml(url)}" rel="noreferrer">${words}</a>`
    : words
  const seen = views === undefined ? 'views not known' : countWithNoun(views, 'view')
  const usual = timesUsual === undefined ? '' : `, outlier score ${timesUsual}×`
  return `${linked} ${quiet(`${whose(storeIds)}, ${supplierRow(network).label}${author === undefined ? '' : `, ${name(author)}`}, ${seen}${usual}`)}`
}

function emerging({ emerging: { apps, total }, sure: { unseen } }: WeeklyReport, links: Links): string {
  if (apps.length === 0)
    return `<p>${quiet(unseen.emerging ? 'Not checked in the week.' : 'No new emerging apps found.')}</p>`
  const kindOf = ({ kind }: EmergingApp) =>
    kind === 'moved-up' ? 'moved up' : kind === 'new-in-charts' ? 'new in charts' : 'gaining ratings'
  const lines = apps.map(
    (app) =>
      `${appName(app, links)}: ${kindOf(app)}, score ${Math.round(app.score)} of 100${app.reason === undefined ? '' : ` ${quiet(escapeHtml(app.reason))}`}`,
  )
  return list([...lines, ...(total > apps.length ? [quiet(`${formatNumber(total - apps.length)} more`)] : [])])
}

function sure({ week, sure: { notMeasured, scores, madeUp }, emerging: { backtests } }: WeeklyReport): string {
  const missing = notMeasured.slice(0, most.notMeasured).map(({ what, why, at }) => {
    const since =
      at === null ? '' : `, ${why.startsWith('fails') ? 'since' : 'last'} ${momentText(at, week.timeZone)}`
    return escapeHtml(`${truncateText(what, longestText)}: ${truncateText(why, longestText)}${since}`)
  })
  const rest = notMeasured.length - missing.length
  return [
    ...(madeUp
      ? ['<p><strong>Sample data: the figures are made up and say nothing about real apps.</strong></p>']
      : []),
    part(
      'Missing data',
      [...missing, ...(rest > 0 ? [escapeHtml(`${rest} more`)] : [])],
      'None: every listing, keyword, storefront and app has data for the week.',
    ),
    '<p>“Days with data” counts the days with a collected rank; a day without data is not a drop. “Not in top 200” names the depth that was collected. A rank change after a listing change does not prove that one caused the other.</p>',
    part(
      'Score backtests',
      [
        ...scores.map(({ name: score, formula, found, on }) =>
          escapeHtml(`${score} (${formula}, ${dayInWords(on)}): ${found}`),
        ),
        ...backtests.map(({ country, words }) =>
          escapeHtml(`Apps that moved up in ${countryName(country)}, in the data collected here: ${words}`),
        ),
      ],
      'None.',
    ),
  ].join('\n')
}
