import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { notify } from '../../api/notices.ts'
import { call, invalidateReads } from '../../api/operations.ts'
import { problemInWords } from '../../api/problems.ts'
import { useHasScope } from '../../api/session.ts'
import { countWithNoun } from '../../evidence/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Download } from '../../ui/icons.ts'
import { Dialog } from '../../ui/overlays.tsx'
import { TokensField } from '../../ui/TokensField.tsx'
import { doForEach } from '../aso/do-for-each.ts'
import styles from './creatives.module.css'
import { useKnownTags } from './known-tags.ts'
import type { Piece, PieceKey, SavedMark } from './shapes.ts'
import { ZipLink } from './ZipLink.tsx'

/** A saved ad or post with its mark. */
export interface SelectedPiece {
  piece: Piece
  mark: SavedMark
}
export type Selection = ReadonlyMap<PieceKey, SelectedPiece>

/** Most saved ads and posts that are chosen together. */
export const mostSelected = 100
/** Tags of a saved ad or post. */
const mostTags = 20
const atOnce = 3

/** What can be done with all chosen saved ads and posts: tag them, take them off, or have them as an archive. */
export function SelectedSaved({ selected, clear }: { selected: Selection; clear: () => void }) {
  const mayWrite = useHasScope('content:write')
  const { forAll, isPending } = useForAll([...selected.values()], clear)
  const remove = () =>
    void forAll(
      ({ piece }) =>
        piece.kind === 'ad'
          ? call('remove_saved_paid_ad', nameOf(piece.ad))
          : call('remove_saved_organic_content', { postId: piece.post.postId }),
      'Taken off the saved ones:',
      ({ piece, mark: { note, tags } }) => save(piece, { note, tags }),
    )
  const size = selected.size
  return (
    <section className={`${styles.selected} row raised pad-2-3 rounded`} aria-label="Selected" data-screen-only>
      <strong role="status">{countWithNoun(size, 'item')} selected</strong>
      <span className="grow" />
      {mayWrite && (
        <Dialog title={`Add tags to ${countWithNoun(size, 'item')}`} trigger={<Button small>Add tags…</Button>}>
          {(close) => (
            <AddTags
              isPending={isPending}
              add={(added) => {
                close()
                void forAll(
                  ({ piece, mark }) => save(piece, { tags: [...new Set([...mark.tags, ...added])] }),
                  `Tagged ${added.join(', ')}:`,
                  ({ piece, mark: { tags } }) => save(piece, { tags }),
                )
              }}
            />
          )}
        </Dialog>
      )}
      <ZipLink items={[...selected.keys()]}>
        <Download size={14} aria-hidden="true" /> ZIP with media
      </ZipLink>
      {mayWrite && (
        <Button small look="danger" isPending={isPending} onPress={remove}>
          Remove from saved
        </Button>
      )}
      <Button small look="bare" onPress={clear}>
        Clear
      </Button>
    </section>
  )
}

function AddTags({ add, isPending }: { add: (tags: string[]) => void; isPending: boolean }) {
  const [tags, setTags] = useState<string[]>([])
  const { tags: known } = useKnownTags()
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (tags.length > 0) add(tags)
  }
  return (
    <form className="stack" onSubmit={send}>
      <TokensField
        label="Tags"
        values={tags}
        suggestions={known.map(({ tag }) => tag)}
        onChange={setTags}
        most={mostTags}
      />
      <div className="row">
        <Button look="primary" type="submit" isDisabled={tags.length === 0} isPending={isPending}>
          Add
        </Button>
      </div>
    </form>
  )
}

/** Does something for each of some saved ads and posts, tells how many, and offers to take it back. */
function useForAll(pieces: readonly SelectedPiece[], clear: () => void) {
  const queries = useQueryClient()
  const [isPending, setPending] = useState(false)
  const perform = async (
    each: readonly SelectedPiece[],
    work: (one: SelectedPiece) => Promise<unknown>,
    text: string,
    undo?: (one: SelectedPiece) => Promise<unknown>,
  ) => {
    setPending(true)
    const { done, left, error } = await doForEach(each, work, { atOnce })
    setPending(false)
    await invalidateReads(queries, shownBy)
    if (left.length > 0)
      notify({
        kind: 'failed',
        ...problemInWords(error),
        text: `${text} ${done.length} of ${each.length}. ${problemInWords(error).text}`,
        repeat: () => void perform(left, work, text),
      })
    else
      notify({
        kind: 'done',
        text: `${text} ${countWithNoun(done.length, 'item')}.`,
        undo: undo && (() => void perform(done, undo, 'As before:')),
      })
  }
  return {
    isPending,
    forAll: async (
      work: (one: SelectedPiece) => Promise<unknown>,
      text: string,
      undo: (one: SelectedPiece) => Promise<unknown>,
    ) => {
      await perform(pieces, work, text, undo)
      clear()
    },
  }
}

/** Reads that show what is saved, and with which tags. */
const shownBy = [
  ...(['search_paid_ads', 'list_saved_organic_content', 'search_organic_content'] as const),
  ...(['get_paid_ad', 'get_organic_content'] as const),
]

const nameOf = ({ platform, archiveId }: Extract<Piece, { kind: 'ad' }>['ad']) => ({ platform, archiveId })

const save = (piece: Piece, given: { note?: string | null; tags?: string[] }) =>
  piece.kind === 'ad'
    ? call('save_paid_ad', { ...nameOf(piece.ad), ...given })
    : call('save_organic_content', { postId: piece.post.postId, ...given })
