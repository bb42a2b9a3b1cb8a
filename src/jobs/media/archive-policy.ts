import { z } from 'zod'

/** Which media are copied: those of every creative that arrives, or only of saved ones. */
export const ArchivePolicy = z.strictObject({
  posts: z.boolean().default(false),
  ads: z.boolean().default(false),
  saved: z.boolean().default(true),
})

export type ArchivePolicy = z.output<typeof ArchivePolicy>
