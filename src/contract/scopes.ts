/** The two permissions. Neither implies the other. */
export const scopes = {
  'context:read': 'Read stored evidence, saved items and the state of work.',
  'content:write': 'Change what an account keeps, ask for work, and search or explore through POST.',
} as const

export type Scope = keyof typeof scopes
