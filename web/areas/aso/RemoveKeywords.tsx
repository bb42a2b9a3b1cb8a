import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../api/notices.ts'
import { call, invalidateReads } from '../../api/operations.ts'
import { problemInWords } from '../../api/problems.ts'
import { count, isolateDirection } from '../../evidence/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Trash2 } from '../../ui/icons.ts'
import { doForEach } from './do-for-each.ts'
import { keywordChanges } from './keyword-changes.ts'
import { callsFor, keywordsOf } from './pasted-terms.ts'
import type { WorkstationKeyword } from './shapes.ts'

/** Calls under way at once: enough to be quick, few enough to leave the service to others. */
const atOnce = 4

/** Removes the selected keywords one by one, and offers to add them again. */
export function RemoveKeywords({
  appId,
  keywords,
  onRemoved,
}: {
  appId: string
  keywords: readonly WorkstationKeyword[]
  /** Called with what could not be removed. */
  onRemoved: (left: readonly WorkstationKeyword[]) => void
}) {
  const queries = useQueryClient()
  const [done, setDone] = useState<number>()
  if (keywords.length === 0) return null
  const addAgain = async (removed: readonly WorkstationKeyword[]) => {
    const { left, error } = await doForEach(
      callsFor(removed),
      (together) => call('add_aso_keywords', { appId, ...keywordsOf(together) }),
      { atOnce: 1 },
    )
    const missing = left.flat().map(({ term }) => term)
    if (missing.length > 0)
      notify({
        kind: 'failed',
        ...problemInWords(error),
        text: `Not added again: ${missing.map(isolateDirection).join(', ')}`,
      })
    await invalidateReads(queries, keywordChanges)
  }
  const remove = async () => {
    setDone(0)
    const { done, left, error } = await doForEach(
      keywords,
      ({ keywordId }) => call('remove_aso_keyword', { appId, keywordId }),
      { atOnce, onDone: setDone },
    )
    setDone(undefined)
    onRemoved(left)
    if (done.length > 0) notify({ kind: 'done', text: removedText(done), undo: () => void addAgain(done) })
    if (error !== undefined) notify({ kind: 'failed', ...problemInWords(error) })
    await invalidateReads(queries, keywordChanges)
  }
  return (
    <Button
      look="danger"
      icon={<Trash2 size={14} aria-hidden="true" />}
      isPending={done !== undefined}
      onPress={() => void remove()}
    >
      {done === undefined
        ? `Remove ${count(keywords.length)}`
        : `Removed ${count(done)} of ${count(keywords.length)}`}
    </Button>
  )
}

const removedText = ([first, ...others]: readonly WorkstationKeyword[]): string =>
  others.length === 0
    ? `“${isolateDirection(first?.term ?? '')}” removed`
    : `${count(others.length + 1)} keywords removed`
