import { type Around, firstOf, type PostForm } from '../ingest/posts/post-draft.ts'
import { instagramProfile } from './instagram/posts.ts'
import { observationsOf } from './own-files/exported-post.ts'
import { isExportedRow, postOfRow } from './own-files/exported-table.ts'
import { postForms, postLists } from './registry.ts'

/** Our own shape, which needs no translation. */
const own: PostForm = {
  is: (record) => 'postId' in record || ('network' in record && 'id' in record),
  read: (record) => record,
}

/** The record formats of each preset; with a preset, records of other formats are refused. */
export const presets = { posts: [own], ...postForms }

export type PostPreset = keyof typeof presets

const allForms: readonly PostForm[] = Object.values(presets).flat()

/** A candidate for a post, its position, and its record format, if known. */
export interface FoundPost {
  position: string
  record: unknown
  around: Around
  form: PostForm | undefined
}

/** Maximum nesting of lists: the response for a Reddit page is a list of listings. */
const deepest = 4

/**
 * The posts in a record: it may be one, or an answer with many in it.
 * @param position of the record in the file; empty for the whole document
 */
export function postsIn(record: unknown, position: string, preset: PostPreset | undefined): FoundPost[] {
  const found: Omit<FoundPost, 'position'>[] = []
  gather(record, preset, {}, deepest, found)
  if (found.length === 1 && position !== '') return found.map((post) => ({ ...post, position }))
  const before = position === '' ? '' : `${position}, `
  return found.map((post, index) => ({ ...post, position: `${before}record ${index + 1}` }))
}

function gather(
  value: unknown,
  preset: PostPreset | undefined,
  around: Around,
  depth: number,
  found: Omit<FoundPost, 'position'>[],
): void {
  const inside = (list: unknown, near: Around) => {
    for (const one of Array.isArray(list) ? list : [list]) gather(one, preset, near, depth - 1, found)
  }
  const isObject = typeof value === 'object' && value !== null
  const exported =
    isObject && (!preset || preset === 'posts')
      ? observationsOf(isExportedRow(value) ? postOfRow(value) : value)
      : undefined
  if (exported) {
    for (const observation of exported) found.push({ record: observation, around, form: own })
    return
  }
  const form = isObject ? formOf(value, preset) : undefined
  const profile = isObject && !form ? instagramProfile(value) : undefined
  const list = isObject && !form ? postLists.map((path) => firstOf(value, path)).find(isHolder) : undefined
  if (form || !isObject || depth === 0) found.push({ record: value, around, form })
  else if (Array.isArray(value)) inside(value, around)
  else if (profile) inside(profile.posts, profile.around)
  else if (list !== undefined) inside(list, around)
  else found.push({ record: value, around, form: undefined })
}

const isHolder = (value: unknown) => typeof value === 'object' && value !== null

function formOf(record: object, preset: PostPreset | undefined): PostForm | undefined {
  if (Array.isArray(record)) return undefined
  return (preset ? presets[preset] : allForms).find((form) => form.is(record))
}
