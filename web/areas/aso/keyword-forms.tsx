import { type FormEvent, useState } from 'react'
import { count, countWithNoun } from '../../evidence/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox, TextField } from '../../ui/fields.tsx'
import { TokensField } from '../../ui/TokensField.tsx'
import { namesOf, ofSteps, type Perform, writing } from './keyword-bulk.ts'
import { longestTag, mostTags } from './keyword-filters.ts'
import type { WorkstationKeyword } from './shapes.ts'

const longestNote = 2_000

interface Writes {
  appId: string
  keywords: readonly WorkstationKeyword[]
  perform: Perform
  close: () => void
}

/** Adds tags to keywords, and takes others off. */
export function TagsForm({
  appId,
  keywords,
  ownTags,
  perform,
  close,
}: Writes & { ownTags: readonly string[] }) {
  const [added, setAdded] = useState<string[]>([])
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const has = [...new Set(keywords.flatMap(({ tags }) => tags))].toSorted((a, b) => a.localeCompare(b))
  const changed = keywords.flatMap(({ term, tags }) => {
    const next = [...new Set([...tags.filter((tag) => !gone.has(tag)), ...added])]
    return next.join('\n') === tags.join('\n') ? [] : [{ term, tags: next }]
  })
  const full = changed.filter(({ tags }) => tags.length > mostTags)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (changed.length === 0 || full.length > 0) return
    close()
    void perform({
      going: 'Saving tags',
      steps: writing(appId, changed),
      done: (written) => `Tags of ${countWithNoun(written, 'keyword')} changed`,
      failed: 'Tags not saved',
      undo: (done) => ({
        going: 'Restoring tags',
        steps: writing(
          appId,
          ofSteps(done, keywords).map(({ term, tags }) => ({ term, tags })),
        ),
        failed: 'Tags not restored',
      }),
    })
  }
  return (
    <form className="stack" onSubmit={send}>
      <TokensField
        label="Add tags"
        values={added}
        onChange={setAdded}
        suggestions={ownTags}
        most={mostTags}
        longest={longestTag}
      />
      {has.length > 0 && (
        <fieldset className="stack gap-1">
          <legend className="quiet small medium">Remove tags</legend>
          {has.map((tag) => (
            <Checkbox
              key={tag}
              isSelected={gone.has(tag)}
              onChange={(isGone) => {
                const next = new Set(gone)
                if (isGone) next.add(tag)
                else next.delete(tag)
                setGone(next)
              }}
            >
              <span>
                <bdi>{tag}</bdi>{' '}
                <span className="quiet">{count(keywords.filter(({ tags }) => tags.includes(tag)).length)}</span>
              </span>
            </Checkbox>
          ))}
        </fieldset>
      )}
      {full.length > 0 && (
        <p className="warn">
          Up to {count(mostTags)} tags per keyword. Too many for {namesOf(full)}.
        </p>
      )}
      <div className="row">
        <Button look="primary" type="submit" isDisabled={changed.length === 0 || full.length > 0}>
          {changed.length === 0 ? 'Save' : `Save ${countWithNoun(changed.length, 'keyword')}`}
        </Button>
      </div>
    </form>
  )
}

/** Writes one note on all of them. */
export function NoteForm({ appId, keywords, perform, close }: Writes) {
  const before = new Set(keywords.map(({ note }) => note ?? ''))
  const [text, setText] = useState(before.size === 1 ? ([...before][0] ?? '') : '')
  const note = text.trim() || null
  const changed = keywords.filter((keyword) => keyword.note !== note).map(({ term }) => ({ term, note }))
  const send = (event: FormEvent) => {
    event.preventDefault()
    close()
    void perform({
      going: 'Saving notes',
      steps: writing(appId, changed),
      done: (written) =>
        note === null
          ? `Notes of ${countWithNoun(written, 'keyword')} removed`
          : `Note on ${countWithNoun(written, 'keyword')} saved`,
      failed: 'Note not saved',
      undo: (done) => ({
        going: 'Restoring notes',
        steps: writing(
          appId,
          ofSteps(done, keywords).map(({ term, note }) => ({ term, note })),
        ),
        failed: 'Notes not restored',
      }),
    })
  }
  return (
    <form className="stack" onSubmit={send}>
      <TextField
        label="Note"
        description={
          before.size > 1
            ? 'The keywords have different notes. This one replaces them all.'
            : 'Leave empty to remove the note.'
        }
        lines={4}
        maxLength={longestNote}
        value={text}
        onChange={setText}
        autoFocus
      />
      <div className="row">
        <Button look="primary" type="submit" isDisabled={changed.length === 0}>
          {note === null && changed.length > 0 ? 'Remove note' : 'Save'}
        </Button>
      </div>
    </form>
  )
}
