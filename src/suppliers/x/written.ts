import { addressIn, firstOf } from '../../ingest/posts/post-draft.ts'

/** A link in a text of X, which it shortens. */
export interface Link {
  short: string
  /** The address that was written; empty for a medium, which is no part of the text. */
  long: string
}

/** The links that entities list. @param short, long the names of the two addresses */
export function linksIn(list: unknown, short = 'url', long = 'expanded_url'): Link[] {
  return (Array.isArray(list) ? list : []).flatMap((entry) => {
    const [from, to] = [firstOf(entry, short), firstOf(entry, long)]
    if (typeof from !== 'string' || typeof to !== 'string') return []
    return [{ short: from, long: isMedium(to) ? '' : to }]
  })
}

const isMedium = (address: string) => isPost(address) && /\/(?:photo|video)\/\d+$/.test(address)

/** The links of two lists of addresses, of which one is shortened. */
export const pairedLinks = (shorts: unknown, longs: unknown): Link[] =>
  Array.isArray(shorts) && Array.isArray(longs)
    ? shorts.flatMap((short, at) =>
        typeof short === 'string' && typeof longs[at] === 'string' ? [{ short, long: longs[at] }] : [],
      )
    : []

/** A text with the addresses that were written. X escapes only `&`, `<` and `>`. */
export function writtenOut(text: unknown, links: readonly Link[]): unknown {
  if (typeof text !== 'string') return text
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  return links.reduce((written, { short, long }) => written.split(short).join(long), plain).trimEnd()
}

/** An address of a post, as a medium or a quoted post has it: nothing that the post shares. */
const isPost = (address: string) => /^https?:\/\/(?:\w+\.)?(?:x|twitter)\.com\/[^/]+\/status\//i.test(address)

/** The first address that a post shares; null for none. */
export function linkUrlIn(links: readonly Link[]): unknown {
  const shared = links.find(({ long }) => long !== '' && !isPost(long))
  return shared ? addressIn(shared.long) : null
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** `Wed Oct 10 20:19:24 +0000 2018`, or `2015-01-24 02:02:37 +0000` of old archives, as RFC 3339; others as they are. */
export function timeIn(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const [, month = '', day, time, year] =
    /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d{2}) (\d{2}:\d{2}:\d{2}) \+0000 (\d{4})$/.exec(value) ?? []
  if (months.includes(month))
    return `${year}-${String(months.indexOf(month) + 1).padStart(2, '0')}-${day}T${time}Z`
  return value.replace(/^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) \+0000$/, '$1T$2Z')
}

/** X counts views since then, and answers 0 for older posts. Source: its help page about view counts. */
const firstViews = '2022-12-15'

/** @param publishedAt RFC 3339 */
export const viewsOf = (count: unknown, publishedAt: unknown): unknown =>
  count === 0 && typeof publishedAt === 'string' && publishedAt < firstViews ? undefined : count
