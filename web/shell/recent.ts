/** A page of one thing, such as an app or a keyword, that was looked at lately in this browser. */
export interface RecentPage {
  /** Path and storefront. */
  href: string
  title: string
}

const most = 8
/** Pages of one thing; of the tabs of an app, the one looked at last counts. */
const ofOneThing =
  /^\/(?:apps\/[^/?]+|aso\/keywords\/[^/?]+|aso\/(?!keywords)[^/?]+|creatives\/(?:ads\/[^/]+\/[^/?]+|posts\/[^/?]+))/

/** The address of the one thing that a page is of, without its tabs and storefront; undefined where it is of none. */
export const thingAt = (href: string): string | undefined => ofOneThing.exec(href)?.[0]

const placeOf = (account: string) => `rivalscope.recent.${account}`

/** The pages that an account looked at lately in this browser, the newest first. */
export function recentPages(account: string): RecentPage[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(placeOf(account)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecentPage).slice(0, most) : []
  } catch {
    return []
  }
}

/** Remembers a page that is looked at; one that is of nothing in particular is passed over. */
export function rememberPage(account: string, { href, title }: RecentPage): void {
  const thing = thingAt(href)
  if (!thing || title === '') return
  const others = recentPages(account).filter((one) => thingAt(one.href) !== thing)
  try {
    localStorage.setItem(placeOf(account), JSON.stringify([{ href, title }, ...others].slice(0, most)))
  } catch {
    // Storage that is full or forbidden costs the list, and nothing else.
  }
}

const isRecentPage = (value: unknown): value is RecentPage =>
  typeof value === 'object' &&
  value !== null &&
  'href' in value &&
  typeof value.href === 'string' &&
  // Of this site: what begins with two strokes would be another host.
  ofOneThing.test(value.href) &&
  'title' in value &&
  typeof value.title === 'string'
