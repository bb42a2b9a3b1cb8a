/** Kinds of watches. */
export const watchKinds = [
  'top',
  'moved',
  'chart',
  'listing',
  'release',
  'availability',
  'ads',
  'emerging',
  'source',
  'import',
] as const

export type WatchKind = (typeof watchKinds)[number]

/** Kinds of notification channels. */
export const channelKinds = ['webhook', 'feed', 'email'] as const

export type ChannelKind = (typeof channelKinds)[number]

/** Formats of the body of a webhook. */
export const webhookShapes = ['generic', 'slack', 'discord', 'teams'] as const

export type WebhookShape = (typeof webhookShapes)[number]

/** When mail is sent: immediately, or once for all events of a day or a week. */
export const digests = ['immediate', 'daily', 'weekly'] as const

export type Digest = (typeof digests)[number]

/** States of a delivery. A dead one is only retried when the operator asks for it. */
export const deliveryStates = ['pending', 'delivered', 'dead'] as const

export type DeliveryState = (typeof deliveryStates)[number]
