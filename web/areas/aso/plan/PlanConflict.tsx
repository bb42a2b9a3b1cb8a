import { momentText } from '../../../evidence/format.ts'
import { Button } from '../../../ui/Button.tsx'
import { fieldInWords } from './listing-text.ts'
import { differencesOf } from './plan-text.ts'
import { keepAsNew, type usePlan } from './use-plan.ts'

/** The draft was saved or removed elsewhere while other texts were typed here: both are shown, and nothing is lost. */
export function PlanConflict({
  appId,
  planning: { plan, saved, change, discard },
  onCopied,
}: {
  appId: string
  planning: ReturnType<typeof usePlan>
  onCopied: (draftId: string) => void
}) {
  const differences = differencesOf(saved?.texts ?? {}, plan.texts)
  return (
    <div className="stack gap-2 pad rounded warn-fill ink" role="alert">
      <strong>
        {saved
          ? `This draft was changed in another window or by a colleague: ${momentText(saved.changedAt)}.`
          : 'This draft was removed in another window or by a colleague.'}
      </strong>
      {saved && saved.name !== plan.name && (
        <p>
          Its name is now <bdi>{saved.name}</bdi>.
        </p>
      )}
      {saved && (
        <ul className="stack gap-1">
          {differences.map(({ localization, field, one, other }) => (
            <li key={`${localization} ${field}`} className="anywhere">
              <strong>
                {localization} {fieldInWords[field]}:
              </strong>{' '}
              saved <Planned text={one} />, yours <Planned text={other} />
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <Button small onPress={discard}>
          {saved ? 'Use the saved draft' : 'Discard mine'}
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
    <span className="quiet">unchanged</span>
  ) : text === '' ? (
    <span>empty</span>
  ) : (
    <q dir="auto">{text}</q>
  )
