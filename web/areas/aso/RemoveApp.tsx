import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../api/notices.ts'
import { call, readAnew } from '../../api/operations.ts'
import { problemInWords } from '../../api/problems.ts'
import { apart, count, countryName } from '../../evidence/format.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlays.tsx'
import { keywordChanges } from './keyword-changes.ts'
import { batchesOf, termsPerCall } from './pasted-terms.ts'

/** Asks before an app leaves the account with its keywords, and offers to take that back. */
export function RemoveApp({
  tracked,
  open,
  onOpenChange,
}: {
  tracked: TrackedAppSummary
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const queries = useQueryClient()
  const [pending, setPending] = useState(false)
  const { appId, app, country, role, keywordCount } = tracked
  const name = app.name ?? `App ${app.storeId}`
  const trackAgain = async (terms: readonly string[]) => {
    try {
      const again = await call('track_aso_app', { app: app.storeId, country, role })
      for (const batch of batchesOf(terms, termsPerCall))
        await call('add_aso_keywords', { appId: again.appId, terms: batch })
    } catch (error) {
      notify({ kind: 'failed', ...problemInWords(error) })
    }
    await readAnew(queries, keywordChanges)
  }
  const remove = async () => {
    setPending(true)
    try {
      // Its terms are read before they leave, so that taking it back brings them too.
      const { keywords } = await call('get_aso_workstation', { appId, windowDays: 7 })
      await call('remove_aso_app', { appId })
      const terms = keywords.map(({ term }) => term)
      notify({ kind: 'done', text: `${apart(name)} is no longer tracked`, undo: () => void trackAgain(terms) })
      onOpenChange(false)
    } catch (error) {
      notify({ kind: 'failed', ...problemInWords(error) })
    }
    setPending(false)
    await readAnew(queries, keywordChanges)
  }
  return (
    <Dialog title="Stop tracking?" open={open} onOpenChange={onOpenChange}>
      {(close) => (
        <>
          <p>
            <bdi>
              <strong>{name}</strong>
            </bdi>{' '}
            in {countryName(country)} leaves your account
            {keywordCount > 0 && `, and its ${count(keywordCount)} keywords with it`}. Stored pages, listings
            and ratings stay. Undo tracks it again and adds its keywords again.
          </p>
          <div className="row">
            <Button look="danger" isPending={pending} onPress={() => void remove()}>
              Stop tracking
            </Button>
            <Button look="bare" onPress={close}>
              Keep it
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
