import type { Page } from 'playwright-core'

/**
 * The texts of a page that run from right to left: letters of a word, or words of a text, whose later ones stand before the
 * earlier ones.
 * @param foreign words that may run as they like
 */
export async function turnedTexts(page: Page, foreign: RegExp): Promise<string[]> {
  return (await page.evaluate(`(${inPage})(${foreign})`)) as string[]
}

const inPage = `(foreign) => {
  const turned = new Set()
  const range = document.createRange()
  const placeOf = (node, index) => {
    range.setStart(node, index)
    range.setEnd(node, index + 1)
    const { left, top, width } = range.getBoundingClientRect()
    return { left, top, isSeen: width > 0 }
  }
  const isAfter = (a, b) => a.isSeen && b.isSeen && Math.abs(a.top - b.top) < 4 && a.left > b.left
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const node = texts.currentNode
    let before
    for (const { 0: word, index } of node.data.matchAll(/[A-Za-z]{2,}/g)) {
      if (foreign.test(word)) { before = undefined; continue }
      const [first, last] = [placeOf(node, index), placeOf(node, index + word.length - 1)]
      if (isAfter(first, last) || (before && isAfter(before, first))) turned.add(node.data)
      before = first
    }
  }
  return [...turned]
}`
