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
import { nameOf, type PieceKey, type SavedMark } from './shapes.ts'
import { ZipLink } from './ZipLink.tsx'

/** Only which ones: what is saved of them is read when something is done, since it may have changed after they were chosen. */
export type Selection = ReadonlySet<PieceKey>

/** Most saved ads and posts that are chosen together. */
export const mostSelected = 100
/** Tags of a saved ad or post. */
const mostTags = 20
const atOnce = 3

/** What can be done with all chosen saved ads and posts: tag them, take them off, or have them as an archive. */
export function SelectedSaved({ selected, clear }: { selected: Selection; clear: () => void }) {
  const mayWrite = useHasScope('content:write')
  const { forAll, isPending } = useForAll([...selected], clear)
  const remove = () => void forAll(takeOff, 'Removed from saved:')
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
                void forAll((key, mark) => addTo(key, mark, added), `Tagged ${added.join(', ')}:`)
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
        Clear selection
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

/** What is done to one of them; false where nothing was done, since it is no longer saved. */
type Work = (key: PieceKey) => Promise<boolean>

/**
 * Does something for each of some ads and posts that is still saved, given its mark as it is then, tells how many, and offers to take
 * it back.
 */
function useForAll(keys: readonly PieceKey[], clear: () => void) {
  const queries = useQueryClient()
  const [isPending, setPending] = useState(false)
  const perform = async (each: readonly PieceKey[], work: Work, text: string, undo?: Work) => {
    const acted: PieceKey[] = []
    setPending(true)
    const { done, left, error } = await doForEach(
      each,
      async (key) => {
        if (await work(key)) acted.push(key)
      },
      { atOnce },
    )
    setPending(false)
    await invalidateReads(queries, shownBy)
    const gone = done.length - acted.length
    const besides = gone > 0 ? ` ${gone === 1 ? '1 is' : `${gone} are`} no longer saved.` : ''
    if (left.length > 0)
      notify({
        kind: 'failed',
        ...problemInWords(error),
        text: `${text} ${acted.length} of ${each.length}.${besides} ${problemInWords(error).text}`,
        repeat: () => void perform(left, work, text, undo),
      })
    else
      notify({
        kind: 'done',
        text: `${text} ${countWithNoun(acted.length, 'item')}.${besides}`,
        undo: undo && acted.length > 0 ? () => void perform(acted, undo, 'Undone:') : undefined,
      })
  }
  return {
    isPending,
    forAll: async (work: (key: PieceKey, mark: SavedMark) => Promise<Work>, text: string) => {
      const back = new Map<PieceKey, Work>()
      await perform(
        keys,
        async (key) => {
          const mark = await markOf(key)
          if (mark) back.set(key, await work(key, mark))
          return mark !== null
        },
        text,
        async (key) => (await back.get(key)?.(key)) ?? false,
      )
      clear()
    },
  }
}

/** Reads that show what is saved, and with which tags. */
const shownBy = [
  ...(['search_paid_ads', 'list_saved_organic_content', 'search_organic_content'] as const),
  ...(['get_paid_ad', 'get_organic_content'] as const),
]

/** Takes it off the saved ones. @returns what saves it again, unless somebody has done so meanwhile */
async function takeOff(key: PieceKey, { note, tags }: SavedMark): Promise<Work> {
  const name = nameOf(key)
  await ('postId' in name ? call('remove_saved_organic_content', name) : call('remove_saved_paid_ad', name))
  return async () => {
    if (!(await markOf(key))) await save(key, { note, tags })
    return true
  }
}

/** Adds tags to those it has. @returns what takes away those that it did not have before */
async function addTo(key: PieceKey, { tags }: SavedMark, added: readonly string[]): Promise<Work> {
  const fresh = added.filter((tag) => !tags.includes(tag))
  if (fresh.length > 0) await save(key, { tags: [...tags, ...fresh] })
  return async () => {
    const mark = await markOf(key)
    if (mark) await save(key, { tags: mark.tags.filter((tag) => !fresh.includes(tag)) })
    return mark !== null
  }
}

/** Its mark as it is now; null where it is not saved. */
async function markOf(key: PieceKey): Promise<SavedMark | null> {
  const name = nameOf(key)
  const { saved } = await ('postId' in name ? call('get_organic_content', name) : call('get_paid_ad', name))
  return saved
}

async function save(key: PieceKey, given: { note?: string | null; tags?: string[] }): Promise<void> {
  const name = nameOf(key)
  await ('postId' in name
    ? call('save_organic_content', { ...name, ...given })
    : call('save_paid_ad', { ...name, ...given }))
}
