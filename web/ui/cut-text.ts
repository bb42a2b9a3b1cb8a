import type { PointerEvent } from 'react'

/** Told apart from titles that a page sets itself. */
const mark = 'cutText'
/** A cell, what it holds and what that is made of; further out no text is cut. */
const mostLevels = 4

/**
 * Text that has no room is told whole beside the pointer. One listener for all pages: which texts are cut changes with every
 * width and every reply. Values with provenance have a tooltip of their own.
 */
export function tellCutText({ target }: PointerEvent): void {
  if (!(target instanceof HTMLElement) || target.closest('[data-provenance]')) return
  let element: HTMLElement | null = target
  for (let level = 0; element && level < mostLevels; level++, element = element.parentElement) {
    if (getComputedStyle(element).textOverflow !== 'ellipsis') continue
    const isOurs = element.dataset[mark] !== undefined
    if (element.title && !isOurs) return
    if (element.scrollWidth > element.clientWidth) {
      element.title = element.innerText
      element.dataset[mark] = ''
      return
    }
    if (isOurs) {
      element.removeAttribute('title')
      delete element.dataset[mark]
    }
  }
}
