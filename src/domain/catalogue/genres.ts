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
 * Games, of Magazines & Newspapers and of Stickers. Retired genres stay, because old evidence names them. Mac genres are
 * not here. Source: Apple's genre list (`MZStoreServices.woa/ws/genres`) and the names seen in stored answers.
 */
export const genres: readonly Genre[] = [
  { id: 36, name: 'All apps', parentId: null },

  { id: 6000, name: 'Business', parentId: 36 },
  { id: 6001, name: 'Weather', parentId: 36 },
  { id: 6002, name: 'Utilities', parentId: 36 },
  { id: 6003, name: 'Travel', parentId: 36 },
  { id: 6004, name: 'Sports', parentId: 36 },
  { id: 6005, name: 'Social Networking', parentId: 36 },
  { id: 6006, name: 'Reference', parentId: 36 },
  { id: 6007, name: 'Productivity', parentId: 36 },
  { id: 6008, name: 'Photo & Video', parentId: 36 },
  { id: 6009, name: 'News', parentId: 36 },
  { id: 6010, name: 'Navigation', parentId: 36 },
  { id: 6011, name: 'Music', parentId: 36 },
  { id: 6012, name: 'Lifestyle', parentId: 36 },
  { id: 6013, name: 'Health & Fitness', parentId: 36 },
  { id: 6014, name: 'Games', parentId: 36 },
  { id: 6015, name: 'Finance', parentId: 36 },
  { id: 6016, name: 'Entertainment', parentId: 36 },
  { id: 6017, name: 'Education', parentId: 36 },
  { id: 6018, name: 'Books', parentId: 36 },
  { id: 6020, name: 'Medical', parentId: 36 },
  { id: 6021, name: 'Magazines & Newspapers', parentId: 36 },
  { id: 6022, name: 'Catalogs', parentId: 36 },
  { id: 6023, name: 'Food & Drink', parentId: 36 },
  { id: 6024, name: 'Shopping', parentId: 36 },
  { id: 6025, name: 'Stickers', parentId: 36 },
  { id: 6026, name: 'Developer Tools', parentId: 36 },
  { id: 6027, name: 'Graphics & Design', parentId: 36 },

  { id: 7001, name: 'Action', parentId: 6014 },
  { id: 7002, name: 'Adventure', parentId: 6014 },
  { id: 7003, name: 'Casual', parentId: 6014 },
  { id: 7004, name: 'Board', parentId: 6014 },
  { id: 7005, name: 'Card', parentId: 6014 },
  { id: 7006, name: 'Casino', parentId: 6014 },
  { id: 7007, name: 'Dice', parentId: 6014 },
  { id: 7008, name: 'Educational', parentId: 6014 },
  { id: 7009, name: 'Family', parentId: 6014 },
  { id: 7011, name: 'Music', parentId: 6014 },
  { id: 7012, name: 'Puzzle', parentId: 6014 },
  { id: 7013, name: 'Racing', parentId: 6014 },
  { id: 7014, name: 'Role Playing', parentId: 6014 },
  { id: 7015, name: 'Simulation', parentId: 6014 },
  { id: 7016, name: 'Sports', parentId: 6014 },
  { id: 7017, name: 'Strategy', parentId: 6014 },
  { id: 7018, name: 'Trivia', parentId: 6014 },
  { id: 7019, name: 'Word', parentId: 6014 },

  { id: 13001, name: 'News & Politics', parentId: 6021 },
  { id: 13002, name: 'Fashion & Style', parentId: 6021 },
  { id: 13003, name: 'Home & Garden', parentId: 6021 },
  { id: 13004, name: 'Outdoors & Nature', parentId: 6021 },
  { id: 13005, name: 'Sports & Leisure', parentId: 6021 },
  { id: 13006, name: 'Automotive', parentId: 6021 },
  { id: 13007, name: 'Arts & Photography', parentId: 6021 },
  { id: 13008, name: 'Brides & Weddings', parentId: 6021 },
  { id: 13009, name: 'Business & Investing', parentId: 6021 },
  { id: 13010, name: "Children's Magazines", parentId: 6021 },
  { id: 13011, name: 'Computers & Internet', parentId: 6021 },
  { id: 13012, name: 'Cooking, Food & Drink', parentId: 6021 },
  { id: 13013, name: 'Crafts & Hobbies', parentId: 6021 },
  { id: 13014, name: 'Electronics & Audio', parentId: 6021 },
  { id: 13015, name: 'Entertainment', parentId: 6021 },
  { id: 13017, name: 'Health, Mind & Body', parentId: 6021 },
  { id: 13018, name: 'History', parentId: 6021 },
  { id: 13019, name: 'Literary Magazines & Journals', parentId: 6021 },
  { id: 13020, name: "Men's Interest", parentId: 6021 },
  { id: 13021, name: 'Movies & Music', parentId: 6021 },
  { id: 13023, name: 'Parenting & Family', parentId: 6021 },
  { id: 13024, name: 'Pets', parentId: 6021 },
  { id: 13025, name: 'Professional & Trade', parentId: 6021 },
  { id: 13026, name: 'Regional News', parentId: 6021 },
  { id: 13027, name: 'Science', parentId: 6021 },
  { id: 13028, name: 'Teens', parentId: 6021 },
  { id: 13029, name: 'Travel & Regional', parentId: 6021 },
  { id: 13030, name: "Women's Interest", parentId: 6021 },

  { id: 16001, name: 'Emoji & Expressions', parentId: 6025 },
  { id: 16003, name: 'Animals & Nature', parentId: 6025 },
  { id: 16005, name: 'Art', parentId: 6025 },
  { id: 16006, name: 'Celebrations', parentId: 6025 },
  { id: 16007, name: 'Celebrities', parentId: 6025 },
  { id: 16008, name: 'Comics & Cartoons', parentId: 6025 },
  { id: 16009, name: 'Eating & Drinking', parentId: 6025 },
  { id: 16010, name: 'Gaming', parentId: 6025 },
  { id: 16014, name: 'Movies & TV', parentId: 6025 },
  { id: 16015, name: 'Music', parentId: 6025 },
  { id: 16017, name: 'People', parentId: 6025 },
  { id: 16019, name: 'Places & Objects', parentId: 6025 },
  { id: 16021, name: 'Sports & Activities', parentId: 6025 },
  { id: 16025, name: 'Kids & Family', parentId: 6025 },
  { id: 16026, name: 'Fashion', parentId: 6025 },
]

/** Names that sources use, or used, beside Apple's own. */
const otherNames: Readonly<Record<string, number>> = {
  'App Store': 36,
  'All Categories': 36,
  Book: 6018,
  Newsstand: 6021,
  Catalogues: 6022,
  Arcade: 7003,
}

const nameById = new Map(genres.map(({ id, name }) => [id, name]))

const idByName = new Map<string, number>()
for (const { id, name } of genres) addName(name, id)
for (const [name, id] of Object.entries(otherNames)) addName(name, id)

function addName(name: string, id: number) {
  const key = nameKey(name)
  if (!idByName.has(key)) idByName.set(key, id)
}

/** `Photo & Video`, `photo and video` and `PHOTO_AND_VIDEO` are one name. */
function nameKey(name: string): string {
  return name.toLowerCase().replaceAll('&', 'and').replaceAll(/\P{L}/gu, '')
}

const parentById = new Map(genres.map(({ id, parentId }) => [id, parentId]))

/** The root of the tree: every app is under it, also one whose genres nobody measured. */
export const wholeStore = 36

/** A genre and all above it, the root last; a genre that is not in the tree stands under the root. */
export function genresAbove(id: number): number[] {
  if (id === wholeStore) return [wholeStore]
  return [id, ...genresAbove(parentById.get(id) ?? wholeStore)]
}

/** A genre and all under it: an app of any of them is an app of the genre. Undefined for the root, which has every app. */
export function genresUnder(id: number): number[] | undefined {
  if (id === wholeStore) return undefined
  return [
    id,
    ...genres.filter(({ parentId }) => parentId === id).flatMap((genre) => genresUnder(genre.id) ?? []),
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
