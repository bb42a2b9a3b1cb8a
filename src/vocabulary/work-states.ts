/** How work does; `partial` ended with something left out. */
export const workStates = ['queued', 'running', 'succeeded', 'partial', 'failed'] as const

export type WorkState = (typeof workStates)[number]
