import { z } from 'zod'

/** Which media are copied: those of every creative that arrives, or only of saved ones. */
export const ArchivePolicy = z.strictObject({
  posts: z.boolean().default(false),
  ads: z.boolean().default(false),
  saved: z.boolean().default(true),
})

export type ArchivePolicy = z.output<typeof ArchivePolicy>

/** How pages get pictures of stores and networks: through this service, only from kept copies, or directly from their hosts. */
export const pictureModes = ['proxy', 'kept', 'direct'] as const

export type PictureMode = (typeof pictureModes)[number]
