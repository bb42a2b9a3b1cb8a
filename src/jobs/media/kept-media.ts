import { z } from 'zod'

/** Whose media are copied: of everything that arrives, or once somebody saves it. */
export const KeptMedia = z.strictObject({
  posts: z.boolean().default(false),
  ads: z.boolean().default(false),
  saved: z.boolean().default(true),
})

export type KeptMedia = z.output<typeof KeptMedia>
