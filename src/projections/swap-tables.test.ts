import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { pause } from '../../tests/support/pause.ts'
import { firstRow, inTransaction } from '../storage/database.ts'
import { openTestStore } from '../storage/testing.ts'
import { retryUntilUnlocked } from './swap-tables.ts'

test('what was stopped inside a transaction for longer than a session may wait there is done again', async () => {
  await using store = await openTestStore()
  let tries = 0
  const done = await retryUntilUnlocked(
    () =>
      inTransaction(store.db, async (transaction) => {
        if (++tries === 1) {
          await sql`set local idle_in_transaction_session_timeout = '1ms'`.execute(transaction)
          await pause(200, 'a stopped process sends nothing')
        }
        return firstRow(transaction, sql<{ one: number }>`select 1 as one`)
      }),
    new AbortController().signal,
  )
  assert.deepEqual([done, tries], [{ one: 1 }, 2])
})
