/** Writes THIRD-PARTY.md from the lockfile. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { thirdPartyNotices } from './third-party.ts'

writeFileSync(fileURLToPath(new URL('../THIRD-PARTY.md', import.meta.url)), thirdPartyNotices())
