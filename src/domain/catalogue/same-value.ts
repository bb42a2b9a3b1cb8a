import type { TrackedField } from '../../vocabulary/listing-fields.ts'
import { pictureFields } from './listing.ts'
import type { Version } from './listing-versions.ts'
import { type PictureSameness, sameness, tellsOfPictures } from './picture-identity.ts'

/**
 * How a value of a tracked field compares with the one before it: `same`, `changed`, or `not-compared` where only the
 * addresses of pictures differ and nobody looked at the pictures.
 */
function compareValues(field: TrackedField, before: string | null, now: string | null): PictureSameness {
  if (before === now) return 'same'
  if (before === null || now === null) return 'changed'
  // Apple lists what sells best first, so their order changes without the app.
  if (field === 'inAppPurchases') return sortedLines(before) === sortedLines(now) ? 'same' : 'changed'
  return pictureFields.has(field) ? sameness(before.split('\n'), now.split('\n')) : 'changed'
}

/** A version with what is known of its difference from the one before; null for the first. */
export interface ComparedVersion extends Version {
  comparison: 'changed' | 'not-compared' | null
}

/** The versions of a field, oldest first; neighbours that show the same are one, with the newest of their texts. */
export function comparedVersions(field: TrackedField, versions: readonly Version[]): ComparedVersion[] {
  const joined: ComparedVersion[] = []
  // The last text that told of its pictures: one that does not must not hide that others before and after it differ.
  let telling: string | null = null
  for (const version of versions) {
    const last = joined.at(-1)
    const comparison = last ? compareValues(field, telling, version.value) : null
    const isSame = last && comparison === 'same'
    if (!isSame || tells(field, version.value)) telling = version.value
    if (!isSame) joined.push({ ...version, comparison: comparison === 'same' ? null : comparison })
    else joined[joined.length - 1] = { ...version, firstSeenAt: last.firstSeenAt, comparison: last.comparison }
  }
  return joined
}

const tells = (field: TrackedField, value: string | null) =>
  !pictureFields.has(field) || value === null || tellsOfPictures(value.split('\n'))

const sortedLines = (text: string) => text.split('\n').sort().join('\n')
