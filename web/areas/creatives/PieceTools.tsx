import { useHasScope } from '../../api/session.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Bookmark, BookmarkCheck, Columns2 } from '../../ui/icons.ts'
import { useChosen } from './chosen.ts'
import styles from './creatives.module.css'
import { useSaving } from './saving.ts'
import { adKey, type Piece, type PieceKey, postKey } from './shapes.ts'

/** What can be done with a card: save it, and put it beside others. */
export function PieceTools({ piece, reachable }: { piece: Piece; reachable: boolean }) {
  const mayWrite = useHasScope('content:write')
  const { saved, save, remove, isPending } = useSaving(piece)
  const { chosen, toggle } = useChosen()
  const key = piece.kind === 'ad' ? adKey(piece.ad) : postKey(piece.post)
  const isChosen = chosen.includes(key)
  const stop = reachable ? {} : { excludeFromTabOrder: true }
  return (
    <div className={`${styles.tools} raised ${saved || isChosen ? styles.marked : ''}`} data-screen-only>
      {(mayWrite || saved) && (
        <IconButton
          {...stop}
          label={saved ? 'Remove from saved' : 'Save'}
          isDisabled={!mayWrite}
          isPending={isPending}
          icon={
            saved ? (
              <BookmarkCheck size={16} aria-hidden="true" className="accent" />
            ) : (
              <Bookmark size={16} aria-hidden="true" />
            )
          }
          onPress={() => (saved ? remove() : save())}
        />
      )}
      <IconButton
        {...stop}
        label={isChosen ? 'Remove from comparison' : 'Add to comparison'}
        icon={<Columns2 size={16} aria-hidden="true" className={isChosen ? 'accent' : undefined} />}
        onPress={() => toggle(key)}
      />
    </div>
  )
}

/** Puts an ad or post beside others, on its own page. */
export function CompareButton({ piece }: { piece: PieceKey }) {
  const { chosen, toggle } = useChosen()
  const isChosen = chosen.includes(piece)
  return (
    <Button icon={<Columns2 size={15} aria-hidden="true" />} onPress={() => toggle(piece)}>
      {isChosen ? 'Remove from comparison' : 'Add to comparison'}
    </Button>
  )
}
