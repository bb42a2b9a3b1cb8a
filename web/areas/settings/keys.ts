import { queryOptions } from '@tanstack/react-query'
import { readOfPages, type Scope } from '../../api/session.ts'

/** A valid key of the account, as `GET /keys` tells it (docs/keys.md). */
export interface KeyShown {
  keyId: string
  name: string
  scopes: readonly Scope[]
  bringsEvidence: boolean
  administers: boolean
  networks: readonly string[]
  createdAt: string
  expiresAt: string | null
  lastUsedAt: string | null
  current: boolean
}

/** A new one, with its secret. */
export interface KeyMade extends KeyShown {
  key: string
}

/** The valid keys of the account, newest first; for its admins. */
export const keysOfAccount = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await readOfPages<{ items: readonly KeyShown[] }>('/keys', signal)).items,
})

export const scopeInWords: Record<Scope, string> = {
  'context:read': 'Read all data of this installation, and what this account tracks and saved',
  'content:write': 'Track, save, link and import, and start work such as refreshes',
}
