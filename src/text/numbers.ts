const figures = new Intl.NumberFormat('en-US')

/** Formats a number for an English text, with three decimals at most: `12,345`. */
export const formatNumber = (value: number): string => figures.format(value)

/** A count with its noun: `1 day`, `1,240 ratings`. @param one the singular; the plural adds an s */
export const countWithNoun = (count: number, one: string): string =>
  `${formatNumber(count)} ${one}${count === 1 ? '' : 's'}`
