import { call, type ReplyOf } from '../../api/operations.ts'
import { callsFor, keywordsOf, type PastedTerm } from './pasted-terms.ts'

/** What a call brought, and what of the terms is yet to be added: what had no room, and what was not sent yet. */
export interface AddedTerms {
  reply: ReplyOf<'add_aso_keywords'>
  left: readonly PastedTerm[]
}

/**
 * Adds terms to a tracked app, call after call, until all are sent, one finds no room or the signal stops it.
 * @param told after each call
 * @throws as a call does; what calls before it added is there
 */
export async function addTerms(
  appId: string,
  terms: readonly PastedTerm[],
  told: (of: AddedTerms) => void,
  stopped?: AbortSignal,
): Promise<void> {
  const calls = callsFor(terms)
  for (const [index, together] of calls.entries()) {
    if (stopped?.aborted) return
    const reply = await call('add_aso_keywords', { appId, ...keywordsOf(together) })
    const full = new Set(
      reply.refused.filter(({ reason }) => reason === 'keywords-full').map(({ given }) => given),
    )
    told({ reply, left: [...together.filter(({ term }) => full.has(term)), ...calls.slice(index + 1).flat()] })
    if (full.size > 0) return
  }
}
