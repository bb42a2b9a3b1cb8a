import { after, test } from 'node:test'
import { sql } from 'kysely'
import { signOf } from '../support/worker-sign.ts'
import { openWorld } from '../support/world.ts'

const world = await openWorld({ works: true })
after(() => world[Symbol.asyncDispose]())

test('a process that works goes on giving signs of itself', async () => {
  await signOf(world)
  await sql`update pgboss.version set cron_on = null`.execute(world.store.db)
  await signOf(world)
})
