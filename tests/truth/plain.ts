import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What the suite of truth reads files with. Nothing under `tests/truth`, but the import of the files, knows the code of the
 * service: the same number found twice in two ways is what it is about.
 */
const data = new URL('../../../shared/data/', import.meta.url).pathname

const textOf = (file: string): string => readFileSync(join(data, file), 'utf8')
export const jsonOf = (file: string) => JSON.parse(textOf(file))
export const filesIn = (folder: string, pattern: RegExp): string[] =>
  readdirSync(join(data, folder))
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => join(folder, name))

/** Rows of a CSV by the names of its heading. */
export function tableOf(file: string): Record<string, string>[] {
  const rows: string[][] = [[]]
  let cell = ''
  let quoted = false
  const text = textOf(file).replace(/^\uFEFF/, '')
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (quoted) {
      if (letter !== '"') cell += letter
      else if (text[at + 1] === '"') cell += text[at++]
      else quoted = false
    } else if (letter === '"') quoted = true
    else if (letter === ',' || letter === '\n') {
      rows.at(-1)?.push(cell.replace(/\r$/, ''))
      cell = ''
      if (letter === '\n') rows.push([])
    } else cell += letter
  }
  if (cell !== '') rows.at(-1)?.push(cell)
  const [heading = [], ...body] = rows
  return body
    .filter((row) => row.length === heading.length)
    .map((row) => Object.fromEntries(heading.map((name, index) => [name, row[index] ?? ''])))
}

/** Compares values one by one, and remembers those that differ. */
export class Comparison {
  compared = 0
  readonly differing: string[] = []

  same(what: string, found: unknown, expected: unknown): void {
    this.compared++
    const [one, other] = [JSON.stringify(found), JSON.stringify(expected)]
    if (one !== other) this.differing.push(`${what}: ${one}, expected ${other}`)
  }
}

/** The value of a fact, null where it was looked for in vain, undefined where nobody looked. */
// biome-ignore lint/suspicious/noExplicitAny: facts of any kind
export function factOf(fact: any): unknown {
  return fact.state === 'measured' ? fact.value : fact.state === 'absent' ? null : undefined
}

/** Letters as readers see them: entities decoded, spaces at the ends taken off. */
export const plain = (text: string): string =>
  text
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replace(/&#0?39;/g, "'")
    .trim()
