import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { openPostgres } from '../../src/storage/open-store.ts'

/** An empty database on the server under test, dropped at the end. */
export async function emptyDatabase(serverUrl: string) {
  const name = `rivalscope_test_${uuidv7().replaceAll('-', '')}`
  const admin = openPostgres(serverUrl)
  await sql`create database ${sql.id(name)}`.execute(admin.db)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      await sql`drop database ${sql.id(name)} with (force)`.execute(admin.db)
      await admin[Symbol.asyncDispose]()
    },
  }
}
