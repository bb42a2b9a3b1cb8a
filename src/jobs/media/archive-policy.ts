import { z } from 'zod'

/** Whose media are copied: of everything that arrives, or once somebody saves it. */
export const ArchivePolicy = z.strictObject({
  posts: z.boolean().default(false),
  ads: z.boolean().default(false),
  saved: z.boolean().default(true),
})

export type ArchivePolicy = z.output<typeof ArchivePolicy>
