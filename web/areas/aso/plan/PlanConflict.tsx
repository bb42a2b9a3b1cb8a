import type { ListingDraft } from '../../../api/listing-drafts.ts'
import { momentText } from '../../../evidence/format.ts'
import { Button } from '../../../ui/Button.tsx'
import { fieldInWords } from './listing-text.ts'
import { differencesOf } from './plan-text.ts'
import { keepAsNew, type usePlan } from './use-plan.ts'

/** Somebody else saved or removed the draft while other texts were typed here: both are shown, and nothing is lost. */
export function PlanConflict({
  appId,
  saved,
  planning: { plan, change, discard },
  onCopied,
}: {
  appId: string
  /** The newer one; undefined where it was removed. */
  saved: ListingDraft | undefined
  planning: ReturnType<typeof usePlan>
  onCopied: (draftId: string) => void
}) {
  const differences = differencesOf(saved?.texts ?? {}, plan.texts)
  return (
    <div className="stack gap-2 pad rounded warn-fill ink" role="alert">
      <strong>
        {saved
          ? `This draft was changed on ${momentText(saved.changedAt)}, in another window or by somebody else.`
          : 'This draft was removed, in another window or by somebody else.'}
      </strong>
      {saved && saved.name !== plan.name && (
        <p>
          It is called <bdi>{saved.name}</bdi> now.
        </p>
      )}
      {saved && (
        <ul className="stack gap-1">
          {differences.map(({ localization, field, one, other }) => (
            <li key={`${localization} ${field}`} className="anywhere">
              <strong>
                {localization} {fieldInWords[field]}:
              </strong>{' '}
              theirs <Planned text={one} />, yours <Planned text={other} />
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <Button small onPress={discard}>
          {saved ? 'Take theirs' : 'Give mine up'}
        </Button>
        <Button small onPress={() => change({ version: saved?.version ?? null })}>
          Keep mine
        </Button>
        <Button
          small
          onPress={() => {
            const copy = keepAsNew(appId, plan)
            discard()
            onCopied(copy)
          }}
        >
          Keep mine as a new draft
        </Button>
      </div>
    </div>
  )
}

const Planned = ({ text }: { text: string | null }) =>
  text === null ? (
    <span className="quiet">as it is</span>
  ) : text === '' ? (
    <span>empty</span>
  ) : (
    <q dir="auto">{text}</q>
  )
