/** The order of a table: by a column, one way or the other. */
export interface TableSort {
  column: string
  descending: boolean
}

/** The order that an address writes as `rank`, or `-rank` where it is descending. */
export const sortOf = (text: string | undefined): TableSort | undefined =>
  text === undefined ? undefined : { column: text.replace(/^-/, ''), descending: text.startsWith('-') }

/** How an address writes an order. */
export const sortText = ({ column, descending }: TableSort): string => `${descending ? '-' : ''}${column}`
