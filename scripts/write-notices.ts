/** Writes THIRD-PARTY.md from the lockfile. */
import { thirdPartyNotices } from './third-party.ts'
import { writeChanged } from './write-changed.ts'

await writeChanged(new URL('../THIRD-PARTY.md', import.meta.url), thirdPartyNotices())
