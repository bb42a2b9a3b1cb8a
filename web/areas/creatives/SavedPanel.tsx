import { type FormEvent, useState } from 'react'
import { useHasScope } from '../../api/session.ts'
import { momentText } from '../../evidence/format.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Bookmark } from '../../ui/icons.ts'
import { Panel } from '../../ui/parts.tsx'
import { TokensField } from '../../ui/TokensField.tsx'
import { useKnownTags } from './known-tags.ts'
import { useSaving } from './saving.ts'
import type { Piece } from './shapes.ts'

/** Saving of an ad or post, with a note and tags. */
export function SavedPanel({ piece }: { piece: Piece }) {
  const { saved } = piece.kind === 'ad' ? piece.ad : piece.post
  const mayWrite = useHasScope('content:write')
  if (!mayWrite && !saved) return null
  return (
    <Panel title={saved ? 'Saved' : 'Save'} note={saved && momentText(saved.savedAt)}>
      <SavedForm piece={piece} mayWrite={mayWrite} />
    </Panel>
  )
}

/** Note and tags of what is saved, or to be saved. What is typed and not sent stays when the page is read anew. */
export function SavedForm({
  piece,
  mayWrite,
  onDone,
}: {
  piece: Piece
  mayWrite: boolean
  /** Called once it is saved or removed; what could not be saved stays to be sent again. */
  onDone?: () => void
}) {
  const { saved, save, remove, isPending } = useSaving(piece)
  const { tags: known } = useKnownTags()
  const [draft, setDraft] = useState<{ note: string; tags: string[] }>()
  const was = { note: saved?.note ?? '', tags: saved?.tags ?? [] }
  const { note, tags } = draft ?? was
  const isChanged = note !== was.note || tags.join('\n') !== was.tags.join('\n')
  const send = (event: FormEvent) => {
    event.preventDefault()
    save({ note: note.trim() === '' ? null : note, tags }, onDone)
  }
  return (
    <form className="stack" onSubmit={send}>
      <TextField
        label="Note"
        lines={3}
        maxLength={2000}
        isDisabled={!mayWrite}
        value={note}
        onChange={(text) => setDraft({ note: text, tags })}
      />
      <TokensField
        label="Tags"
        values={tags}
        suggestions={known.map(({ tag }) => tag)}
        isDisabled={!mayWrite}
        onChange={(next) => setDraft({ note, tags: next })}
      />
      {mayWrite && (
        <div className="row">
          <Button
            look="primary"
            type="submit"
            isPending={isPending}
            isDisabled={saved !== null && !isChanged}
            icon={<Bookmark size={14} aria-hidden="true" />}
          >
            {saved ? 'Save changes' : 'Save'}
          </Button>
          {saved && (
            <Button
              look="danger"
              isDisabled={isPending}
              onPress={() => {
                setDraft(undefined)
                remove()
                onDone?.()
              }}
            >
              Remove
            </Button>
          )}
        </div>
      )}
    </form>
  )
}
