import table from '../../data/genres.json' with { type: 'json' }

/** One of Apple's App Store genres, which the product calls categories. */
export interface Genre {
  id: number
  /** Apple's English name; of the root, whose charts are the overall ones, what they hold. */
  name: string
  /** The genre above; null for the root. */
  parentId: number | null
}

/**
 * Apple's genre tree for iOS, every parent before its children: the root (36), the categories, then the subgenres of
 * Games, of Magazines & Newspapers and of Stickers.
 */
export const genres: readonly Genre[] = table.genres

/** Names that sources use, or used, beside Apple's own. */
const { otherNames } = table

const nameById = new Map(genres.map(({ id, name }) => [id, name]))

const idByName = new Map<string, number>()
for (const { id, name } of genres) addName(name, id)
for (const [name, id] of Object.entries(otherNames)) addName(name, id)

function addName(name: string, id: number) {
  const key = nameKey(name)
  if (!idByName.has(key)) idByName.set(key, id)
}

/** Normalises a genre name: `Photo & Video`, `photo and video` and `PHOTO_AND_VIDEO` are equal. */
function nameKey(name: string): string {
  return name.toLowerCase().replaceAll('&', 'and').replaceAll(/\P{L}/gu, '')
}

const parentById = new Map(genres.map(({ id, parentId }) => [id, parentId]))

/** The root of the genre tree: it has every app, including those without measured genres. */
export const rootGenre = 36

/** A genre and all above it, the root last; a genre that is not in the tree stands under the root. */
export function genreAndAncestors(id: number): number[] {
  if (id === rootGenre) return [rootGenre]
  return [id, ...genreAndAncestors(parentById.get(id) ?? rootGenre)]
}

/** A genre and all under it: an app of any of them is an app of the genre. Undefined for the root, which has every app. */
export function genreAndDescendants(id: number): number[] | undefined {
  if (id === rootGenre) return undefined
  return [
    id,
    ...genres.filter(({ parentId }) => parentId === id).flatMap((genre) => genreAndDescendants(genre.id) ?? []),
  ]
}

/** The English name of a genre; undefined for an id that is not in the tree. */
export function genreName(id: number): string | undefined {
  return nameById.get(id)
}

/**
 * The id of a genre by its English name, whatever its case, punctuation or way of writing "and"; undefined for an
 * unknown name. A name on two levels means the higher one: `Music` is the category (6011), not music games (7011).
 */
export function genreIdByName(name: string): number | undefined {
  return idByName.get(nameKey(name))
}
