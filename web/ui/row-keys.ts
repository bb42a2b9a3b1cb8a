import type { KeyboardEvent } from 'react'

/** Moves the focus between rows and the values of a row. @returns the index of the focused row */
export function rowKeys(
  scroller: HTMLElement | null,
  rows: number,
  scrollTo: (index: number) => void,
): (event: KeyboardEvent) => number | undefined {
  return (event) => {
    const target = event.target as HTMLElement
    if (event.metaKey || event.ctrlKey || event.altKey || target.closest('input,textarea,select'))
      return undefined
    const row = target.closest<HTMLElement>('[data-index]')
    const index = row ? Number(row.dataset.index) : -1
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      const next = Math.max(0, Math.min(rows - 1, index + step))
      scrollTo(next)
      requestAnimationFrame(() => scroller?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus())
      return undefined
    }
    if (row && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
      const stops = [...row.querySelectorAll<HTMLElement>('a,button,[data-provenance]')]
      const at = stops.indexOf(target) + (event.key === 'ArrowRight' ? 1 : -1)
      event.preventDefault()
      ;(stops[at] ?? row).focus()
      return undefined
    }
    return index === -1 ? undefined : index
  }
}
