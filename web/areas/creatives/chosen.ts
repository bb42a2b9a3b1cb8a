import { useNavigate, useSearch } from '@tanstack/react-router'
import { adPlatforms } from '../../../src/vocabulary/ad-platforms.ts'
import { notify } from '../../api/notices.ts'
import { type ChosenSearch, listOf, valuesOf } from './search.ts'
import type { PieceKey } from './shapes.ts'

/** Maximum number of creatives in a comparison. */
export const mostChosen = 4

const form = new RegExp(`^(ad\\.(${adPlatforms.join('|')})\\.[0-9A-Za-z-]{1,64}|post\\.[a-z]+_[\\w-]{1,64})$`)

/** The ads and posts an address names for a comparison, each once; what is no such name is left out. */
export const chosenOf = (items: string | undefined): PieceKey[] =>
  [...new Set(valuesOf(items))].filter((key): key is PieceKey => form.test(key)).slice(0, mostChosen)

/** The creatives chosen for comparison, kept in the address so that it can be shared. */
export function useChosen(): { chosen: PieceKey[]; toggle: (key: PieceKey) => void; clear: () => void } {
  const items = useSearch({ strict: false, select: (search: ChosenSearch) => search.items })
  const navigate = useNavigate()
  const chosen = chosenOf(items)
  const set = (keys: PieceKey[]) =>
    void navigate({
      to: '.',
      search: (search: object) => ({ ...search, items: listOf(keys) }),
      replace: true,
      resetScroll: false,
    })
  return {
    chosen,
    toggle: (key) => {
      if (chosen.includes(key)) set(chosen.filter((one) => one !== key))
      else if (chosen.length < mostChosen) set([...chosen, key])
      else notify({ kind: 'failed', text: `Up to ${mostChosen} items can be compared. Remove one first.` })
    },
    clear: () => set([]),
  }
}
