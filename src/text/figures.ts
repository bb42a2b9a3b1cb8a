const figures = new Intl.NumberFormat('en-US')

/** `12,345`: a number for an English text, with three decimals at most. */
export const inFigures = (value: number): string => figures.format(value)

/** `1 day`, `1,240 ratings`. @param one the word for one, whose plural has an s */
export const counted = (count: number, one: string): string =>
  `${inFigures(count)} ${one}${count === 1 ? '' : 's'}`
