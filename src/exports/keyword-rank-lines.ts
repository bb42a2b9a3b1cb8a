import { dayNumber, dayOfNumber } from '../domain/aso/pages/rank-days.ts'
import { type ScannedToolRanks, toolRanksAfter } from '../domain/aso/pages/tool-ranks.ts'
import type { Database } from '../storage/database.ts'
import { doubtfulRanks } from '../vocabulary/keyword-rank-tools.ts'

/** Months of ranks held in memory at a time. */
const batchSize = 500

/**
 * What other tools told of ranks of keywords as JSON lines, one for each rank, in the format of `rivalscope import keyword-ranks`: by
 * app, storefront, keyword, month, tool, device and day. Of several readings of a day the one that counts.
 */
export async function* keywordRankLines(
  db: Database,
  onRanks: (count: number) => void,
): AsyncGenerator<string> {
  let after: ScannedToolRanks | undefined
  do {
    const months = await toolRanksAfter(db, after, batchSize)
    for (const { storeId, country, term, month, tool, device, days } of months) {
      const told = new Map<number, number>()
      for (const reading of days.split(';'))
        for (const [index, value] of reading.split(',').entries())
          if (value !== '') told.set(index, Number(value))
      const lines = [...told]
        .sort(([one], [other]) => one - other)
        .map(([index, value]) => {
          const day = dayOfNumber(dayNumber(month) + index)
          const rank = value > 0 ? value : `>${-value}`
          // Without the sign of the tool, an import would not know whether 500 is a place.
          const sign = doubtfulRanks.has(String(rank)) ? { unranked: '-' } : {}
          const row = { tool, term, country, day, ...(device === '' ? {} : { device }), rank, ...sign, storeId }
          return `${JSON.stringify(row)}\n`
        })
      yield lines.join('')
      onRanks(lines.length)
    }
    after = months.at(-1)
  } while (after)
}
