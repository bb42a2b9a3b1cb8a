import type { EndedWell } from '../domain/work/work.ts'
import type { Asked } from './collecting/ask-in-turn.ts'

/** Results that a refresh lacks. */
interface LeftOut {
  /** Terms without a new page. */
  missing: readonly string[]
  /** Failed searches and look-ups, in their order. */
  searches: Asked['failures']
  suggestions: Asked['failures']
}

/** Most terms that a sentence names. */
const termsNamed = 3

/** The end of a refresh: complete, or with a sentence about what is missing. */
export function endOfRefresh({ missing, searches, suggestions }: LeftOut): EndedWell {
  const result = { missing: missing.length, failedCalls: searches.length + suggestions.length }
  const last = searches.at(-1) ?? suggestions.at(-1)
  if (!last) return { status: 'succeeded', result }
  const left = [
    ...(missing.length > 0 ? [keywordsWithout(missing)] : []),
    ...(missing.length === 0 && searches.length > 0 ? ['not all listings were read'] : []),
    ...(suggestions.length > 0 ? ['not all suggestions were read'] : []),
  ]
  const message = `${left.join('; ')}. The last failure: ${last.message}`
  return { status: 'partial', result, error: { code: last.kind, message } }
}

function keywordsWithout(missing: readonly string[]): string {
  const named = missing.slice(0, termsNamed).map((term) => `"${term}"`)
  const more = missing.length > termsNamed ? ', …' : ''
  const count = missing.length === 1 ? '1 keyword has' : `${missing.length} keywords have`
  return `${count} no new page (${named.join(', ')}${more})`
}
