import { type Around, firstOf, idOf, type PostForm } from '../ingest/posts/post-draft.ts'
import { observationsOf } from './own-files/exported-post.ts'
import { isExportedRow, postOfRow } from './own-files/exported-table.ts'
import { type PostAnswer, postAnswers, postForms, postLists } from './registry.ts'

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

/** Maximum nesting of lists: a file may be a list of answers of GraphQL, each with a profile and the edges of its posts. */
const deepest = 6

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
  const isAnswer = isObject && !form && !Array.isArray(value)
  const answer = isAnswer ? answerOf(value) : undefined
  const list = isAnswer ? postLists.map((path) => firstOf(value, path)).find(isHolder) : undefined
  const error = isAnswer && list === undefined ? errorIn(value) : undefined
  if (form || !isObject || depth === 0) found.push({ record: value, around, form })
  else if (Array.isArray(value)) inside(value, around)
  else if (typeof answer === 'string') found.push({ record: value, around, form: refused(answer) })
  else if (answer) inside(answer.posts, { ...around, ...answer.around })
  else if (list !== undefined) inside(list, around)
  else found.push({ record: value, around, form: error === undefined ? undefined : refused(error) })
}

function answerOf(record: object): ReturnType<PostAnswer> {
  for (const read of postAnswers) {
    const answer = read(record)
    if (answer !== undefined) return answer
  }
  return undefined
}

/** The form of a record that is known to be no post. */
const refused = (reason: string): PostForm => ({ is: () => true, read: () => reason })

/** The error that a network or a collector answered in place of posts: often with HTTP 200. */
function errorIn(record: object): string | undefined {
  const at = (...paths: string[]) => firstOf(record, ...paths)
  const code = at('error.code', 'errors.0.code', 'code', 'status')
  const isError =
    at('errors.0', 'error') !== undefined ||
    (typeof at('code') === 'number' && at('code') !== 0 && at('msg', 'message') !== undefined) ||
    (Number(at('status')) >= 400 && at('title', 'detail') !== undefined)
  if (!isError) return undefined
  const message = at(
    ...['error.message', 'errors.0.message', 'errors.0.detail', 'errorDescription', 'msg', 'message', 'detail'],
    ...['title', 'error'],
  )
  const told = typeof message === 'string' ? message.slice(0, 300) : 'no message'
  return `an error and no posts${code === undefined ? '' : `, ${idOf(code).slice(0, 40)}`}: ${told}`
}

const isHolder = (value: unknown) => typeof value === 'object' && value !== null

function formOf(record: object, preset: PostPreset | undefined): PostForm | undefined {
  if (Array.isArray(record)) return undefined
  return (preset ? presets[preset] : allForms).find((form) => form.is(record))
}
