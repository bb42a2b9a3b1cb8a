/** The parts of an app whose age is told, in the order in which they are told. */
export const appParts = ['keywords', 'charts', 'listing', 'page', 'ads', 'posts'] as const

export type AppPart = (typeof appParts)[number]
