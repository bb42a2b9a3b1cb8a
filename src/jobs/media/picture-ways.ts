/** How pages get pictures of stores and networks: through this service, only from kept copies, or directly from their hosts. */
export const pictureWays = ['proxy', 'kept', 'direct'] as const

export type PictureWay = (typeof pictureWays)[number]
