import { tidySearch } from '../domain/catalogue/record-writes.ts'
import { weighWords } from '../domain/catalogue/word-weights.ts'
import { replay } from '../projections/replay.ts'
import type { Bench } from './command.ts'

/** Derives records and charts anew from all stored payloads. */
export async function replayCommand(
  { db, terminal, signal }: Bench,
  { json }: { json?: boolean },
): Promise<0 | 1> {
  try {
    const summary = await replay(
      db,
      (done, total) => terminal.progress({ label: 'readings', done, total, unit: 'records' }),
      signal,
    )
    await tidySearch(db)
    await weighWords(db, new Date())
    terminal.out(
      json
        ? JSON.stringify(summary)
        : `replayed ${summary.readings} readings, ${summary.refused} no longer readable`,
    )
    return 0
  } catch (error) {
    if (!signal.aborted) throw error
    terminal.note('Interrupted. Nothing was changed.')
    return 1
  }
}
