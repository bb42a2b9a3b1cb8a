import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import {
  draftsQuery,
  type ListingDraft,
  type PlanLocalization,
  removeDraft,
  saveDraft,
} from '../../../api/listing-drafts.ts'
import { notify } from '../../../api/notices.ts'
import { useHasScope } from '../../../api/session.ts'
import { useChange } from '../../../api/watches.ts'
import { isolateDirection, momentText } from '../../../evidence/format.ts'
import type { TrackedAppSummary } from '../../../evidence/shapes.ts'
import buttons from '../../../ui/Button.module.css'
import { Button } from '../../../ui/Button.tsx'
import { CopyableText } from '../../../ui/CopyableText.tsx'
import { customProperties } from '../../../ui/css.ts'
import { saveFile } from '../../../ui/csv.ts'
import { Select, TextField } from '../../../ui/fields.tsx'
import { Check, Download, RotateCcw, Trash2 } from '../../../ui/icons.ts'
import { Dialog } from '../../../ui/overlays.tsx'
import { Badge, Panel } from '../../../ui/parts.tsx'
import { compactSearch } from '../../../ui/search-params.ts'
import { asOneLine, isTooLong, plannedFields } from './listing-text.ts'
import { PlanConflict } from './PlanConflict.tsx'
import { planAsText } from './plan-text.ts'
import { plansOfBrowser, type usePlan } from './use-plan.ts'

const from = '/aso/$appId/plan'

/** Which plan is open, what it is compared with, and what becomes of it: saved, given up, removed, taken to the store. */
export function DraftBar({
  tracked,
  drafts,
  planning,
  localizations,
}: {
  tracked: TrackedAppSummary
  drafts: readonly ListingDraft[]
  planning: ReturnType<typeof usePlan>
  localizations: readonly PlanLocalization[]
}) {
  const { appId, app, country } = tracked
  const { plan, saved, isUnsaved, isBehind, change, discard, settle } = planning
  const { draft, against } = useSearch({ from })
  const navigate = useNavigate({ from })
  const queries = useQueryClient()
  const canWrite = useHasScope('content:write')
  const open = (draftId: string | undefined) =>
    navigate({ search: (old) => compactSearch({ ...old, draft: draftId, against: undefined }) })
  const ofApp = { storeId: app.storeId, country }
  const keep = async (sent: Parameters<typeof saveDraft>[0]) => {
    const stored = await saveDraft(sent)
    const others = (all: readonly ListingDraft[] = []) =>
      all.filter(({ draftId }) => draftId !== stored.draftId)
    queries.setQueryData(draftsQuery(ofApp).queryKey, (all) => [stored, ...others(all)])
    settle(sent, stored)
    return stored
  }
  const save = useChange(keep, {
    changes: ['listing-drafts', 'get_competitor_aso'],
    done: ({ name }) => `Draft “${isolateDirection(name)}” saved`,
  })
  const remove = useChange(removeDraft, { changes: ['listing-drafts'] })
  const removeSaved = ({ draftId, name, texts, version }: ListingDraft) =>
    remove.mutate(
      { draftId, version },
      {
        onSuccess: () => {
          notify({
            kind: 'done',
            text: `Draft “${isolateDirection(name)}” removed`,
            undo: () => save.mutate({ ...ofApp, ...{ draftId, name, texts, version: null } }),
          })
          void open(undefined)
        },
      },
    )
  const others = drafts.filter(({ draftId }) => draftId !== plan.draftId)
  const unsaved = plansOfBrowser(appId, drafts)
  const compared = others.find(({ draftId }) => draftId === against)?.draftId ?? asItIs
  const mayBeSaved = isUnsaved && !isBehind && plan.name.trim() !== '' && !hasTooLong(plan.texts)
  return (
    <Panel
      title="Drafts"
      note={
        saved && !isUnsaved
          ? `Saved ${momentText(saved.changedAt)}. Everyone in this account sees it.`
          : isUnsaved
            ? 'Not saved: kept in this browser until you save it'
            : draft
              ? 'This draft was removed, or it belongs to another app or account'
              : 'Edit the texts below to see which keywords they win and lose'
      }
      actions={
        <>
          <Button
            small
            icon={<RotateCcw size={13} aria-hidden="true" />}
            isDisabled={!isUnsaved}
            onPress={() => {
              discard()
              if (draft && !saved) void open(undefined)
            }}
          >
            Discard changes
          </Button>
          {saved && canWrite && (
            <Button
              small
              icon={<Trash2 size={13} aria-hidden="true" />}
              isDisabled={isUnsaved}
              isPending={remove.isPending}
              onPress={() => removeSaved(saved)}
            >
              Remove draft
            </Button>
          )}
          <ExportDialog plan={plan} saved={isUnsaved ? undefined : saved} localizations={localizations} />
          {canWrite && (
            <Button
              small
              look="primary"
              icon={<Check size={13} aria-hidden="true" />}
              isDisabled={!mayBeSaved}
              isPending={save.isPending}
              onPress={() =>
                save.mutate({
                  ...{ ...ofApp, draftId: plan.draftId, name: plan.name.trim() },
                  ...{ texts: plan.texts, version: plan.version },
                })
              }
            >
              Save draft
            </Button>
          )}
        </>
      }
    >
      <div className="stack gap-4">
        <div className="tiles spread" style={customProperties({ '--tile': '200px' })}>
          <Select
            label="Draft"
            value={draft ?? newDraft}
            options={[
              { id: newDraft, name: 'New draft' },
              ...(draft && [...drafts, ...unsaved].every(({ draftId }) => draftId !== draft)
                ? [{ id: draft, name: plan.name || 'Not found' }]
                : []),
              ...unsaved.map(({ draftId, name }) => ({
                id: draftId,
                name: `${isolateDirection(name || 'No name')} · not saved`,
              })),
              ...drafts.map(({ draftId, name }) => ({ id: draftId, name })),
            ]}
            onChange={(chosen) => void open(chosen === newDraft ? undefined : chosen)}
          />
          <TextField
            label="Draft name"
            value={plan.name}
            maxLength={100}
            onChange={(name) => change({ name: asOneLine('name', name) })}
          />
          <Select
            label="Compare with"
            value={compared}
            options={[
              { id: asItIs, name: 'Current listing' },
              ...others.map(({ draftId, name }) => ({ id: draftId, name })),
            ]}
            onChange={(chosen) =>
              void navigate({
                search: (old) => compactSearch({ ...old, against: chosen === asItIs ? undefined : chosen }),
                replace: true,
              })
            }
          />
        </div>
        {isUnsaved && plan.name.trim() === '' && <p className="quiet small">Name the draft to save it.</p>}
        {hasTooLong(plan.texts) && (
          <p className="small bad">
            A text is more than twice as long as the App Store takes. Shorten it to save.
          </p>
        )}
        {isBehind && <PlanConflict appId={appId} planning={planning} onCopied={(copy) => void open(copy)} />}
        <p className="row rows-1 small">
          {Object.keys(plan.texts).length > 0 ? (
            <>
              <span className="quiet">Edited:</span>
              {Object.keys(plan.texts).map((code) => (
                <Badge key={code}>{code}</Badge>
              ))}
            </>
          ) : (
            <span className="quiet">No text edited yet</span>
          )}
        </p>
      </div>
    </Panel>
  )
}

const newDraft = 'new'
const asItIs = 'listing'

/** Whether a text is longer than is kept. */
export const hasTooLong = (texts: ListingDraft['texts']): boolean =>
  Object.values(texts).some((planned) =>
    plannedFields.some((field) => isTooLong(field, planned?.[field] ?? '')),
  )

/** The texts that the plan changes, for whoever brings them into App Store Connect. */
function ExportDialog({
  plan,
  saved,
  localizations,
}: {
  plan: Pick<ListingDraft, 'name' | 'texts'>
  /** Undefined while something is not saved: the folder is made of what is. */
  saved: ListingDraft | undefined
  localizations: readonly PlanLocalization[]
}) {
  const text = planAsText(plan.name, plan.texts, localizations)
  return (
    <Dialog
      title="Export texts"
      wide
      trigger={
        <Button
          small
          icon={<Download size={13} aria-hidden="true" />}
          isDisabled={Object.keys(plan.texts).length === 0}
        >
          Export…
        </Button>
      }
    >
      <p className="quiet">Only the texts that this draft changes: the others stay as they are in the store.</p>
      <CopyableText text={text} />
      <div className="row">
        <Button
          icon={<Download size={13} aria-hidden="true" />}
          onPress={() => saveFile('listing.txt', new Blob([text, '\n'], { type: 'text/plain;charset=utf-8' }))}
        >
          Text file
        </Button>
        {saved ? (
          <a className={buttons.button} href={`/listing-drafts/${saved.draftId}/fastlane.zip`} download>
            fastlane folder (ZIP)
          </a>
        ) : (
          <span className="quiet small">Save the draft to download it as a fastlane folder.</span>
        )}
      </div>
    </Dialog>
  )
}
