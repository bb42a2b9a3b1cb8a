import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../api/notices.ts'
import { call, invalidateReads } from '../../api/operations.ts'
import { problemInWords } from '../../api/problems.ts'
import { countWithNoun, isolateDirection } from '../../evidence/format.ts'
import { doForEach } from './do-for-each.ts'
import { keywordChanges } from './keyword-changes.ts'
import { callsFor, keywordsOf, type PastedTerm } from './pasted-terms.ts'

/** A call, and the keywords that it is about. */
export interface Step {
  keywords: readonly PastedTerm[]
  send: () => Promise<unknown>
}

/** Something that is done with several keywords. */
interface Act {
  /** What goes on, such as `Removing keywords`. */
  going: string
  steps: readonly Step[]
  /** Calls under way at once; one when left out. */
  atOnce?: number
  /** Tells how many were done; nothing is told when left out. */
  done?: (keywords: number) => string
  /** Begins the notice of those that were not done, such as `Not removed`. */
  failed: string
  /** Does what is left once more, where that is more than these steps again. */
  again?: (left: readonly Step[]) => unknown
  /** What takes these steps back. */
  undo?: (done: readonly Step[]) => Act
}

/** Removals under way at once: enough to be quick, few enough to leave the service to others. */
export const removalsAtOnce = 4

/** Does something with keywords, call after call. What fails is named, and can be tried again; what was done can be taken back. */
export function useBulk() {
  const queries = useQueryClient()
  const [progress, setProgress] = useState<{ going: string; done: number; of: number }>()
  /** @returns what was done, and what was not */
  const perform = async (act: Act): Promise<{ done: readonly Step[]; left: readonly PastedTerm[] }> => {
    const of = act.steps.reduce((sum, { keywords }) => sum + keywords.length, 0)
    let sent = 0
    setProgress({ going: act.going, done: 0, of })
    const { done, left, error } = await doForEach(
      act.steps,
      async ({ keywords, send }) => {
        await send()
        sent += keywords.length
        setProgress({ going: act.going, done: sent, of })
      },
      { atOnce: act.atOnce ?? 1 },
    )
    setProgress(undefined)
    const missing = left.flatMap(({ keywords }) => keywords)
    if (sent > 0 && act.done) {
      const undo = act.undo?.(done)
      notify({ kind: 'done', text: act.done(sent), undo: undo && (() => void perform(undo)) })
    }
    if (missing.length > 0) {
      const problem = problemInWords(error)
      notify({
        kind: 'failed',
        ...problem,
        text: `${act.failed}: ${namesOf(missing)}. ${problem.text}`,
        repeat: () => void (act.again ?? ((steps) => perform({ ...act, steps })))(left),
      })
    }
    await invalidateReads(queries, keywordChanges)
    return { done, left: missing }
  }
  return { progress, perform }
}

export type Perform = ReturnType<typeof useBulk>['perform']

/** Writes terms of an app, with the tags and the note that each says; what it leaves out stays. */
export const writing = (appId: string, terms: readonly PastedTerm[]): Step[] =>
  callsFor(terms).map((together) => ({
    keywords: together,
    send: () => call('add_aso_keywords', { appId, ...keywordsOf(together) }),
  }))

/** Removes keywords of an app. */
export const removing = (appId: string, keywords: readonly { keywordId: string; term: string }[]): Step[] =>
  keywords.map(({ keywordId, term }) => ({
    keywords: [{ term }],
    send: () => call('remove_aso_keyword', { appId, keywordId }),
  }))

/** The keywords of some steps, as they were. */
export function ofSteps<Keyword extends { term: string }>(
  steps: readonly Pick<Step, 'keywords'>[],
  keywords: readonly Keyword[],
): Keyword[] {
  const terms = new Set(steps.flatMap((step) => step.keywords.map(({ term }) => term)))
  return keywords.filter(({ term }) => terms.has(term))
}

const mostNames = 5

/** “budget”, “savings” and 3 others. */
export function namesOf(keywords: readonly { term: string }[]): string {
  const named = keywords.slice(0, mostNames).map(({ term }) => `“${isolateDirection(term)}”`)
  const others = keywords.length - named.length
  return others > 0 ? `${named.join(', ')} and ${countWithNoun(others, 'other')}` : named.join(', ')
}
