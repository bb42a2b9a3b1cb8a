import type { Country } from './shapes.ts'
import { isCountry } from './storefronts.ts'

/** An app in a storefront, as the page that compares names it. */
export interface Subject {
  storeId: string
  country: Country
}

/** Apps side by side: more have no room beside each other. */
export const mostCompared = 6

const remembered = 'rivalscope.compared'

/** How an address writes a subject: `9000000001.us`. */
export const subjectKey = ({ storeId, country }: Subject): string => `${storeId}.${country}`

/** The subjects that a text names, each once; what names none is left out. A text without a storefront means the given one. */
export function subjectsIn(text: unknown, country: Country): Subject[] {
  if (typeof text !== 'string' && typeof text !== 'number') return []
  const keys = String(text)
    .split(',')
    .flatMap((one) => {
      const [storeId = '', named = country, ...more] = one.trim().split('.')
      return more.length === 0 && /^[1-9]\d{0,18}$/.test(storeId) && isCountry(named)
        ? [subjectKey({ storeId, country: named })]
        : []
    })
  return [...new Set(keys)].slice(0, mostCompared).map((key) => {
    const [storeId = '', named] = key.split('.')
    return { storeId, country: named as Country }
  })
}

/** Empty where there is none. */
export const subjectsText = (subjects: readonly Subject[]): string => subjects.map(subjectKey).join(',')

/** What was compared last in this tab: a list adds to it. */
const lastCompared = (country: Country): Subject[] => subjectsIn(sessionStorage.getItem(remembered), country)

export const rememberCompared = (subjects: readonly Subject[]): void =>
  sessionStorage.setItem(remembered, subjectsText(subjects))

/** These beside what was compared last: where all have no room, the oldest give way. */
export function besideLast(added: readonly Subject[], country: Country): Subject[] {
  const keys = new Set(added.map(subjectKey))
  const before = lastCompared(country).filter((one) => !keys.has(subjectKey(one)))
  return [...before, ...added].slice(-mostCompared)
}
