/** What can be watched. */
export const watchKinds = [
  'top',
  'moved',
  'chart',
  'listing',
  'release',
  'ads',
  'emerging',
  'source',
  'import',
] as const

export type WatchKind = (typeof watchKinds)[number]

/** How an account is told. */
export const wayKinds = ['webhook', 'feed', 'email'] as const

export type WayKind = (typeof wayKinds)[number]

/** Whose format the body of a webhook has. */
export const webhookShapes = ['generic', 'slack', 'discord', 'teams'] as const

export type WebhookShape = (typeof webhookShapes)[number]

/** When mail is sent: at once, or what happened in a day or a week in one message. */
export const digests = ['immediate', 'daily', 'weekly'] as const

export type Digest = (typeof digests)[number]

/** A dead delivery is not attempted again until the operator says so. */
export const deliveryStates = ['pending', 'delivered', 'dead'] as const

export type DeliveryState = (typeof deliveryStates)[number]
