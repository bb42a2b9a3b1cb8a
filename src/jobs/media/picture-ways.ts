/**
 * How pages come by pictures of stores and networks: through this service, only as far as copies are kept, or straight from
 * their hosts.
 */
export const pictureWays = ['proxy', 'kept', 'direct'] as const

export type PictureWay = (typeof pictureWays)[number]
