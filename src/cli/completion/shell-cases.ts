import { quoteForShell } from '../operations/words.ts'
import type { CompletionTree, CompletionValue } from './tree.ts'

/**
 * The body of a `case` that sets `REPLY` to the possible values: a kind and, after a space, words. Each case is a command
 * with an option, such as `get-apple-charts --country`, or with the number of an argument, such as `keys revoke #0`. Cases
 * with the same values share a branch.
 */
export function valueCases(trees: readonly CompletionTree[]): string {
  const subjects = new Map<string, string[]>()
  const add = (subject: string, value: CompletionValue) => {
    if (value.kind === 'flag') return
    const reply = 'words' in value ? `${value.kind} ${value.words.join(' ')}` : value.kind
    subjects.set(reply, [...(subjects.get(reply) ?? []), subject])
  }
  for (const { path, options, places, repeats } of trees) {
    for (const { name, value } of options) add(quoteForShell(`${path} ${name}`), value)
    places.forEach((value, place) => {
      const last = repeats && place === places.length - 1
      add(quoteForShell(`${path} #`) + (last ? '*' : String(place)), value)
    })
  }
  return [...subjects]
    .map(([reply, keys]) => `    ${keys.join('|')}) REPLY=${quoteForShell(reply)} ;;`)
    .join('\n')
}
