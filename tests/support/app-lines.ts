const filler = 'Plan the day, write it down, and find it again. '.repeat(36)

/** An app as a line of a file, large enough that a thousand of them take several batches. */
export const appLine = (id: number) =>
  `${JSON.stringify({ wrapperType: 'software', kind: 'software', trackId: id, trackName: `App number ${id}`, artistName: `Maker ${id % 97}`, description: `${filler}${id}`, userRatingCount: id % 1_000, price: 0, currency: 'USD' })}\n`

export const appLines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => appLine(from + index)).join('')
