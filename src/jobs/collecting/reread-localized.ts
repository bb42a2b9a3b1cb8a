import type { Reread } from '../../domain/catalogue/localizations.ts'
import { storedReadingOf } from '../../domain/evidence/queries.ts'
import type { Database } from '../../storage/database.ts'
import { reparse } from '../../suppliers/reparse.ts'

/** Parses stored answers in other languages once more, for what of them is not kept beside their payload. */
export const rereadLocalized =
  (db: Database): Reread =>
  async (readingId, storeId) => {
    const stored = await storedReadingOf(db, readingId)
    const again = stored && (await reparse(stored))
    return again?.parsed.localized?.find((one) => one.storeId === storeId)?.listing
  }
