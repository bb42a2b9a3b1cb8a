import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { areas } from './navigation.ts'

/** Keys that work on every page, for the help. Lists and tables have j, k, Enter and Space besides. */
export const shortcuts: readonly { keys: string; does: string }[] = [
  { keys: '/ or Ctrl K', does: 'Search, or jump to a page' },
  { keys: '?', does: 'Show this help' },
  { keys: 'j and k', does: 'Next and previous row of a list or table' },
  { keys: '← and →', does: 'Next and previous value of a row, with its source' },
  { keys: 'Enter', does: 'Open the focused item' },
  { keys: 'Space', does: 'Select a row' },
  { keys: 'Esc', does: 'Close a dialog or a tooltip' },
  ...areas.map(({ key, name }) => ({ keys: `g then ${key}`, does: name })),
]

const chordMs = 1_200

export function useShortcuts({ search, help }: { search: () => void; help: () => void }): void {
  const navigate = useNavigate()
  const actions = useRef({ search, help, navigate })
  actions.current = { search, help, navigate }
  useEffect(() => {
    let chordUntil = 0
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return
      const { search, help, navigate } = actions.current
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return search()
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTakenElsewhere(event.target)) return
      const area = event.timeStamp < chordUntil ? areas.find(({ key }) => key === event.key) : undefined
      chordUntil = 0
      if (area) {
        event.preventDefault()
        void navigate({ to: area.to })
      } else if (event.key === '/') {
        event.preventDefault()
        search()
      } else if (event.key === '?') help()
      else if (event.key === 'g') chordUntil = event.timeStamp + chordMs
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/**
 * Whether a key is typed, or pressed in a dialog: the search field of the palette passes its keys on to its entries, where they
 * would be taken for shortcuts.
 */
const isTakenElsewhere = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input,textarea,select,[role="textbox"]') ||
    target.closest('[role="dialog"],[role="alertdialog"]') !== null)
