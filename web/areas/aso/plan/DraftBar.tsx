import { useNavigate, useSearch } from '@tanstack/react-router'
import {
  type ListingDraft,
  type PlanLocalization,
  removeDraft,
  saveDraft,
} from '../../../api/listing-drafts.ts'
import { useHasScope } from '../../../api/session.ts'
import { useChange } from '../../../api/watches.ts'
import { momentText } from '../../../evidence/format.ts'
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
import { isTooLong, plannedFields } from './listing-text.ts'
import { PlanConflict } from './PlanConflict.tsx'
import { planAsText } from './plan-text.ts'
import type { usePlan } from './use-plan.ts'

const from = '/aso/$appId/plan'

/** Which plan is open, what it is compared with, and what becomes of it: saved, given up, removed, taken to the store. */
export function DraftBar({
  tracked,
  drafts,
  saved,
  planning,
  localizations,
}: {
  tracked: TrackedAppSummary
  drafts: readonly ListingDraft[]
  /** The open one as the service has it. */
  saved: ListingDraft | undefined
  planning: ReturnType<typeof usePlan>
  localizations: readonly PlanLocalization[]
}) {
  const { appId, app, country } = tracked
  const { plan, isUnsaved, isBehind, change, discard } = planning
  const { draft, against } = useSearch({ from })
  const navigate = useNavigate({ from })
  const canWrite = useHasScope('content:write')
  const open = (draftId: string | undefined) =>
    navigate({ search: (old) => compactSearch({ ...old, draft: draftId, against: undefined }) })
  const save = useChange(saveDraft, {
    changes: ['listing-drafts'],
    done: ({ name }) => `Saved “${name}”.`,
  })
  const remove = useChange(removeDraft, { changes: ['listing-drafts'], done: () => 'Removed the draft.' })
  const others = drafts.filter(({ draftId }) => draftId !== draft)
  const mayBeSaved = isUnsaved && !isBehind && plan.name.trim() !== '' && !hasTooLong(plan.texts)
  return (
    <Panel
      title="Plan"
      note={
        saved && !isUnsaved
          ? `Saved on ${momentText(saved.changedAt)}, for everybody of this account`
          : isUnsaved
            ? 'Not saved yet: what you type is kept in this browser'
            : draft
              ? 'This draft is not there: it was removed, or it belongs to another account or app'
              : 'Write new texts below, and see what they win and lose before they are in the store'
      }
      actions={
        <>
          <Button
            small
            icon={<RotateCcw size={13} aria-hidden="true" />}
            isDisabled={!isUnsaved}
            onPress={discard}
          >
            Discard changes
          </Button>
          {saved && canWrite && (
            <Button
              small
              icon={<Trash2 size={13} aria-hidden="true" />}
              isPending={remove.isPending}
              onPress={() =>
                remove.mutate(saved, {
                  onSuccess: () => {
                    discard()
                    void open(undefined)
                  },
                })
              }
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
                save.mutate(
                  {
                    ...{ storeId: app.storeId, country, draftId: plan.draftId, name: plan.name.trim() },
                    ...{ texts: plan.texts, version: plan.version },
                  },
                  {
                    onSuccess: ({ draftId }) => {
                      discard()
                      if (draftId !== draft) void open(draftId)
                    },
                  },
                )
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
              ...(draft && !saved ? [{ id: draft, name: plan.name || 'Not there' }] : []),
              ...drafts.map(({ draftId, name }) => ({ id: draftId, name })),
            ]}
            onChange={(chosen) => void open(chosen === newDraft ? undefined : chosen)}
          />
          <TextField
            label="Name of the draft"
            value={plan.name}
            maxLength={100}
            onChange={(name) => change({ name })}
          />
          <Select
            label="Compare with"
            value={others.some(({ draftId }) => draftId === against) ? (against ?? asItIs) : asItIs}
            options={[
              { id: asItIs, name: 'Listing as it is' },
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
        {isUnsaved && plan.name.trim() === '' && (
          <p className="quiet small">A draft needs a name to be saved.</p>
        )}
        {hasTooLong(plan.texts) && (
          <p className="small bad">
            A text has more than twice the characters that the store takes: shorten it to save the draft.
          </p>
        )}
        {isBehind && (
          <PlanConflict appId={appId} saved={saved} planning={planning} onCopied={(copy) => void open(copy)} />
        )}
        <p className="row rows-1 small">
          {Object.keys(plan.texts).length > 0 ? (
            <>
              <span className="quiet">Edited:</span>
              {Object.keys(plan.texts).map((code) => (
                <Badge key={code}>{code}</Badge>
              ))}
            </>
          ) : (
            <span className="quiet">No text is edited yet.</span>
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
      title="Texts for the store"
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
      <p className="quiet">
        The texts that this plan changes. Those that it leaves as they are stand in no file, so that nothing
        newer in the store is replaced.
      </p>
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
          <span className="quiet small">Save the draft to get it as a fastlane folder.</span>
        )}
      </div>
    </Dialog>
  )
}
