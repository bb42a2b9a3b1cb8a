/** States of work; `partial` ended with something missing. */
export const workStates = ['queued', 'running', 'succeeded', 'partial', 'failed'] as const

export type WorkState = (typeof workStates)[number]
