import { createHash } from 'node:crypto'
import { DateTime } from 'luxon'
import type { NotMeasured } from '../../domain/watches/not-measured.ts'
import type { WatchEvent } from '../../domain/watches/watch.ts'
import { escapeHtml, toOneLine } from '../../text/markup.ts'
import type { WatchKind } from '../../vocabulary/watches.ts'
import type { Message } from './webhook-message.ts'

/** The period of a digest and what was not measured in it. */
export interface DigestPeriod {
  from: Date
  /** Exclusive. */
  until: Date
  /** Null where another part of the digest lists it. */
  notMeasured: readonly NotMeasured[] | null
}

export interface MailContents extends Message {
  /** Names of apps by their ids, for headings. */
  names: ReadonlyMap<string, string>
  /** IANA name of the account's zone, for times in the mail. */
  timeZone: string
  /** Undefined for events that are sent immediately. */
  digest: DigestPeriod | undefined
}

/** Most events of one digest message; further ones go with the next. */
export const maxEventsInDigest = 300
/** Most unmeasured things that are named; the rest are counted. */
const mostNotMeasured = 50
const longestSubject = 150

const kindNames: Record<WatchKind, string> = {
  top: 'Top places',
  moved: 'Moves',
  chart: 'Entries and exits',
  listing: 'Listing',
  release: 'Releases',
  availability: 'Availability in the App Store',
  ads: 'Ads',
  emerging: 'New in charts or moved up',
  source: 'Sources',
  import: 'Imports',
}

/** Subject, text and HTML of a mail. Titles contain names that strangers chose: all of them are escaped. */
export function composeMail(contents: MailContents): { subject: string; text: string; html: string } {
  const sections = sectionsOf(contents)
  return { subject: subjectOf(contents), text: textOf(contents, sections), html: htmlOf(contents, sections) }
}

/** A Message-ID derived from the contents: the same events through the same channel, up to the same end, have the same. */
export function messageIdOf(
  wayId: string,
  events: readonly WatchEvent[],
  until: Date | undefined,
  from: string,
): string {
  const told = [wayId, until?.toISOString() ?? '', ...events.map(({ eventId }) => eventId)].join(' ')
  return `<${createHash('sha256').update(told).digest('hex').slice(0, 40)}@${from.slice(from.lastIndexOf('@') + 1)}>`
}

function subjectOf({ events, digest, timeZone }: MailContents): string {
  const [first] = events
  if (!digest && events.length === 1 && first) return clipped(toOneLine(first.title))
  const many = counted(events.length, 'event')
  if (!digest) return clipped(`${many}: ${toOneLine(first?.title ?? '')}`)
  const missing = digest.notMeasured?.length ?? 0
  return clipped(
    `Rivalscope: ${many} ${spanInWords(digest, timeZone)}${missing > 0 ? `, ${missing} not measured` : ''}`,
  )
}

/** Such as `on 25 Nov 2026`, or `from 16 to 22 Nov 2026`. */
function spanInWords({ from, until }: DigestPeriod, timeZone: string): string {
  const first = DateTime.fromJSDate(from, { zone: timeZone })
  const last = DateTime.fromJSDate(until, { zone: timeZone }).minus({ milliseconds: 1 })
  const day = 'd LLL yyyy'
  return first.hasSame(last, 'day')
    ? `on ${last.toFormat(day, { locale: 'en' })}`
    : `from ${first.toFormat(day, { locale: 'en' })} to ${last.toFormat(day, { locale: 'en' })}`
}

interface Line {
  title: string
  /** When it was observed, or what is known of the last time. */
  time: string
  link: string | undefined
}

interface Section {
  heading: string
  groups: { heading: string; lines: Line[] }[]
}

/** A section for each app, then one for events of no app, then one for what was not measured. */
function sectionsOf(contents: MailContents): Section[] {
  const { events, names, publicUrl, timeZone, digest } = contents
  const appOf = ({ evidence: { storeId } }: WatchEvent) => (typeof storeId === 'string' ? storeId : '')
  const byApp = [...Map.groupBy(events, appOf)].sort(
    ([one], [other]) => Number(one === '') - Number(other === ''),
  )
  const sections = byApp.map(([storeId, ofApp]) => ({
    heading: storeId === '' ? 'The installation' : (names.get(storeId) ?? `App ${storeId}`),
    groups: [...Map.groupBy(ofApp, ({ kind }) => kind)].map(([kind, ofKind]) => ({
      heading: kindNames[kind],
      lines: ofKind.map(({ title, page, observedAt }) => ({
        title,
        time: `Observed ${timeOf(observedAt, timeZone)}`,
        link: `${publicUrl}${page}`,
      })),
    })),
  }))
  return digest?.notMeasured ? [...sections, notMeasuredSection(digest.notMeasured, timeZone)] : sections
}

function notMeasuredSection(notMeasured: readonly NotMeasured[], timeZone: string): Section {
  const lines = notMeasured.slice(0, mostNotMeasured).map(({ what, why, at }) => ({
    title: `${what}: ${why}`,
    time: at === null ? '' : `${why.startsWith('fails') ? 'Since' : 'Last'} ${timeOf(at, timeZone)}`,
    link: undefined,
  }))
  const left = notMeasured.length - lines.length
  if (left > 0) lines.push({ title: `${left} more`, time: '', link: undefined })
  const all = { title: 'Nothing: all that is watched was measured.', time: '', link: undefined }
  return { heading: 'Not measured', groups: [{ heading: '', lines: lines.length > 0 ? lines : [all] }] }
}

const introOf = ({ account, events, digest, timeZone }: MailContents) =>
  `${counted(events.length, 'event')}${digest ? ` ${spanInWords(digest, timeZone)}` : ''} for the account ${account}. Times are of ${timeZone}.`

function textOf(contents: MailContents, sections: readonly Section[]): string {
  const lines = sections.flatMap(({ heading, groups }) => [
    '',
    toOneLine(heading).toUpperCase(),
    ...groups.flatMap((group) => [
      ...(group.heading === '' ? [] : ['', group.heading]),
      ...group.lines.flatMap(({ title, time, link }) => [
        `- ${toOneLine(title)}`,
        ...(time === '' ? [] : [`  ${time}`]),
        ...(link === undefined ? [] : [`  ${link}`]),
      ]),
    ]),
  ])
  return `${[toOneLine(introOf(contents)), ...lines, '', `Rivalscope, ${contents.publicUrl}/`].join('\n')}\n`
}

function htmlOf(contents: MailContents, sections: readonly Section[]): string {
  const line = ({ title, time, link }: Line) =>
    `<p style="margin:0 0 12px">${escapeHtml(title)}${time === '' ? '' : `<br><span style="opacity:0.75;font-size:14px">${escapeHtml(time)}</span>`}${link === undefined ? '' : `<br><a href="${escapeHtml(link)}">Evidence</a>`}</p>`
  const body = sections.map(
    ({ heading, groups }) =>
      `<h2 style="font-size:20px;line-height:1.3;margin:28px 0 8px">${escapeHtml(heading)}</h2>\n${groups
        .map(
          (group) =>
            `${group.heading === '' ? '' : `<h3 style="font-size:16px;margin:16px 0 8px">${escapeHtml(group.heading)}</h3>\n`}${group.lines.map(line).join('\n')}`,
        )
        .join('\n')}`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subjectOf(contents))}</title>
</head>
<body style="margin:0;padding:16px;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<div style="max-width:600px;margin:0 auto;overflow-wrap:anywhere">
<p style="margin:0">${escapeHtml(introOf(contents))}</p>
${body.join('\n')}
<p style="margin:28px 0 0;font-size:14px"><a href="${escapeHtml(`${contents.publicUrl}/`)}">Rivalscope</a></p>
</div>
</body>
</html>
`
}

const counted = (count: number, what: string) =>
  `${count === 0 ? 'No' : count} ${what}${count === 1 ? '' : 's'}`

const timeOf = (at: Date, timeZone: string) =>
  DateTime.fromJSDate(at, { zone: timeZone }).toFormat('d LLL yyyy, HH:mm ZZZZ', { locale: 'en' })

const clipped = (text: string) =>
  text.length <= longestSubject ? text : `${text.slice(0, longestSubject - 1).toWellFormed()}…`
