import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The kinds of a change: the sections of Keep a Changelog in their order. */
export const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']

/** Changes that are not released yet: entries of the changelog by their kind. */
export type Changes = Map<string, string[]>

/** What `changes` holds: a file for each entry, which says its kind and the text; and what is wrong with other files. */
export function changesIn(root: string): { files: string[]; changes: Changes; unfit: string[] } {
  const folder = join(root, 'changes')
  const files = existsSync(folder) ? readdirSync(folder).sort() : []
  const changes: Changes = new Map()
  const unfit: string[] = []
  for (const file of files) {
    const content = readFileSync(join(folder, file), 'utf8')
    const [, kind = '', text = ''] = /^(\w+): (\S.*(?:\n\S.*)*)\n$/.exec(content) ?? []
    if (kinds.includes(kind) && /^[a-z0-9-]+\.md$/.test(file))
      changes.set(kind, [...(changes.get(kind) ?? []), `- ${text.replaceAll('\n', '\n  ')}`])
    else
      unfit.push(
        `changes/${file} is no change: a file such as changes/hints-of-japan.md holds one entry, "Fixed: What people notice.", without blank lines. The kinds are ${kinds.join(', ')}.`,
      )
  }
  return { files: files.map((file) => join('changes', file)), changes, unfit }
}

/** A changelog in three: up to the heading of what is not released, what is told there, and the releases. */
function partsOf(changelog: string): [before: string, told: string, releases: string] {
  const [before = '', rest = ''] = changelog.split(/(?<=^## \[Unreleased\]\n)/m)
  const [told = '', ...releases] = rest.split(/^(?=## \[)/m)
  return [before, told, releases.join('')]
}

/** Whether the changelog has unreleased entries of its own, besides the files in `changes`. */
export const hasUnreleasedChanges = (changelog: string): boolean => /^- /m.test(partsOf(changelog)[1])

/** The changelog with all that is not released under the heading of a version. @param day `YYYY-MM-DD` */
export function withRelease(changelog: string, version: string, day: string, changes: Changes): string {
  const [before, told, releases] = partsOf(changelog)
  const sections = new Map(
    told.split(/^### /m).map((section) => {
      const [kind = '', ...lines] = section.split('\n')
      return [kind, lines.join('\n').trim()]
    }),
  )
  const all = kinds.flatMap((kind) => {
    const entries = [sections.get(kind) ?? '', ...(changes.get(kind) ?? [])].filter((one) => one !== '')
    return entries.length === 0 ? [] : [`### ${kind}\n\n${entries.join('\n')}\n\n`]
  })
  return `${before}\n## [${version}] - ${day}\n\n${all.join('')}${releases}`
}
