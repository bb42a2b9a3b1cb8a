import type { Operation } from '../../contract/operation.ts'
import { type ReplyPaths, replyPathsOf } from '../../contract/reply-paths.ts'
import { stateHasValue } from '../../vocabulary/facts.ts'
import { searchVolumeHint } from '../../vocabulary/search-volume.ts'
import { UsageError } from './given.ts'

/**
 * The paths given with `--fields`, relative to an item of a list or to the reply.
 * @throws UsageError that names a path the reply never has, with the possible ones
 */
export function fieldsFrom(text: string, { reply, list }: Operation): string[] {
  const fields = [...new Set(text.split(',').map((field) => field.trim()))].filter((field) => field !== '')
  if (fields.length === 0) throw misuse('names no field')
  const whole = reply && replyPathsOf(reply)
  const shown = list ? whole?.at([list.at]) : whole
  for (const field of fields) {
    const stranger = shown && strangerIn(shown, field.split('.'))
    if (stranger) throw misuse(`${stranger}${searchVolumeHint(field)}`)
  }
  return fields
}

/**
 * The properties named by the paths, nested as in the reply and in the order of the paths; a path applies to each item of a
 * list. Where the value of a fact is asked for and it is absent or not measured, the whole fact is returned.
 */
export function pickPaths(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => pickPaths(one, fields))
  if (typeof value !== 'object' || value === null) return value
  const inside = new Map<string, string[]>()
  for (const field of fields) {
    const [name = '', ...rest] = field.split('.')
    inside.set(name, [...(inside.get(name) ?? []), ...(rest.length > 0 ? [rest.join('.')] : [])])
  }
  const there = [...inside].filter(([name]) => Object.hasOwn(value, name))
  if (there.length < inside.size && 'state' in value && !stateHasValue(value.state)) return value
  return Object.fromEntries(
    there.map(([name, paths]) => {
      const property: unknown = Reflect.get(value, name)
      return [name, paths.length === 0 ? property : pickPaths(property, paths)]
    }),
  )
}

const misuse = (message: string) => new UsageError([{ place: '--fields', message }])

/** The first name of a path that does not exist at its place, with the names that do. */
function strangerIn(paths: ReplyPaths, [name = '', ...rest]: readonly string[]): string | undefined {
  const below = paths.at([name])
  if (below) return rest.length === 0 ? undefined : strangerIn(below, rest)
  const { names } = paths
  return `there is no ${JSON.stringify(name)}${names.length > 0 ? `; there are ${names.join(', ')}` : ''}`
}
