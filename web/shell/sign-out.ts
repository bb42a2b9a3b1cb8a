import { notify } from '../api/notices.ts'
import { signOut } from '../api/session.ts'

/** Signs out, or says why that failed: the session then goes on. */
export function signOutOrTell(): void {
  signOut().catch((error: Error) => notify({ kind: 'failed', text: error.message }))
}
