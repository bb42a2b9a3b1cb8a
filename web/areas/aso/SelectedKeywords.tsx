import { notify } from '../../api/notices.ts'
import { count, countWithNoun, isolateDirection } from '../../evidence/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Copy, Trash2 } from '../../ui/icons.ts'
import { Dialog } from '../../ui/overlays.tsx'
import { Bar } from '../../ui/WorkProgress.tsx'
import { CopyKeywords } from './CopyKeywords.tsx'
import { ofSteps, removalsAtOnce, removing, useBulk, writing } from './keyword-bulk.ts'
import { NoteForm, TagsForm } from './keyword-forms.tsx'
import { writtenOut } from './pasted-terms.ts'
import type { Workstation, WorkstationKeyword } from './shapes.ts'

/** What can be done with all selected keywords of an app. Nothing while none is selected and nothing goes on. */
export function SelectedKeywords({
  workstation,
  keywords,
  hidden,
  ownTags,
  onSelect,
}: {
  workstation: Workstation
  /** Those that are selected. */
  keywords: readonly WorkstationKeyword[]
  /** How many of them the filters hide. */
  hidden: number
  /** Tags that the account gave keywords of the app. */
  ownTags: readonly string[]
  onSelect: (ids: Set<string>) => void
}) {
  const { progress, perform } = useBulk()
  const { appId } = workstation.tracked
  if (keywords.length === 0 && !progress) return null
  const size = keywords.length
  const isBusy = progress !== undefined
  const remove = async () => {
    const { left } = await perform({
      going: 'Removing keywords',
      steps: removing(appId, keywords),
      atOnce: removalsAtOnce,
      done: (removed) =>
        removed === 1 && size === 1
          ? `“${isolateDirection(keywords[0]?.term ?? '')}” removed`
          : `${countWithNoun(removed, 'keyword')} removed`,
      failed: 'Not removed',
      undo: (done) => ({
        going: 'Restoring keywords',
        steps: writing(appId, ofSteps(done, keywords).map(writtenOf)),
        failed: 'Not restored',
      }),
    })
    onSelect(new Set(ofSteps([{ keywords: left }], keywords).map(({ keywordId }) => keywordId)))
  }
  return (
    <section className="row pad-2-4 rule-below selected" aria-label="Selected keywords" data-screen-only>
      {progress ? (
        <>
          <div className="grow">
            <Bar name={progress.going} done={progress.done} total={progress.of} />
          </div>
          <span className="small" role="status">
            {progress.going}: {count(progress.done)} of {count(progress.of)}
          </span>
        </>
      ) : (
        <strong className="grow" role="status">
          {countWithNoun(size, 'keyword')} selected
          {hidden > 0 && `, ${count(hidden)} hidden by filters`}
        </strong>
      )}
      <Dialog
        title={`Tags of ${countWithNoun(size, 'keyword')}`}
        trigger={
          <Button small isDisabled={isBusy}>
            Tags…
          </Button>
        }
      >
        {(close) => (
          <TagsForm appId={appId} keywords={keywords} ownTags={ownTags} perform={perform} close={close} />
        )}
      </Dialog>
      <Dialog
        title={`Note on ${countWithNoun(size, 'keyword')}`}
        trigger={
          <Button small isDisabled={isBusy}>
            Note…
          </Button>
        }
      >
        {(close) => <NoteForm appId={appId} keywords={keywords} perform={perform} close={close} />}
      </Dialog>
      <CopyKeywords workstation={workstation} keywords={keywords} perform={perform} isDisabled={isBusy} />
      <Button
        small
        icon={<Copy size={13} aria-hidden="true" />}
        isDisabled={isBusy}
        onPress={() => void copyText(keywords)}
      >
        Copy text
      </Button>
      <Button
        small
        look="danger"
        icon={<Trash2 size={13} aria-hidden="true" />}
        isDisabled={isBusy}
        onPress={() => void remove()}
      >
        Remove {count(size)}
      </Button>
      <Button small look="bare" isDisabled={isBusy} onPress={() => onSelect(new Set())}>
        Clear selection
      </Button>
    </section>
  )
}

/** A keyword with what the account wrote of it. */
const writtenOf = ({ term, tags, note }: WorkstationKeyword) => ({ term, tags, note })

/** As "Add keywords…" takes them: with tags and notes where one has some. */
async function copyText(keywords: readonly WorkstationKeyword[]): Promise<void> {
  const written = keywords.map(({ term, tags, note }) => ({
    term,
    ...(tags.length > 0 ? { tags } : {}),
    note,
  }))
  try {
    await navigator.clipboard.writeText(writtenOut(written).join('\n'))
    notify({ kind: 'done', text: `${countWithNoun(keywords.length, 'keyword')} copied` })
  } catch {
    notify({ kind: 'failed', text: 'The browser blocked copying. Export the table as CSV instead.' })
  }
}
