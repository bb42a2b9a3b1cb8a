import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ConfigurationError, readConfiguration } from '../../src/configuration.ts'
import { decompressPayload } from '../../src/domain/evidence/packed-payload.ts'
import { rows } from '../../src/storage/database.ts'
import type { Store } from '../../src/storage/store.ts'
import { playedLibrarySources, startAdLibraries } from '../support/ad-libraries.ts'
import { start } from '../support/command-line.ts'
import { run } from '../support/in-process.ts'
import { openInstallation } from '../support/installation.ts'
import { until } from '../support/until.ts'

test('credentials of ad libraries come from the environment, and are refused without being shown', async () => {
  const read = async (environment: Record<string, string>) =>
    (await readConfiguration(undefined, environment)).adTokens
  assert.deepEqual(await read({}), {}, 'no credential is made up for a library that needs none')
  assert.deepEqual(await read({ RIVALSCOPE_META_TOKEN: ' abc\n' }), { meta: ['abc'] })
  const tiktok = { RIVALSCOPE_TIKTOK_CLIENT_KEY: 'k', RIVALSCOPE_TIKTOK_CLIENT_SECRET: 's' }
  assert.deepEqual(await read(tiktok), { tiktok: ['k', 's'] })
  await assert.rejects(() => read({ RIVALSCOPE_TIKTOK_CLIENT_KEY: 'k' }), ConfigurationError)
  await assert.rejects(
    () => read({ RIVALSCOPE_META_TOKEN: 'not\u00a0a token' }),
    (error) =>
      error instanceof ConfigurationError && /META_TOKEN/.test(error.message) && !/not/.test(error.message),
  )
})

test('a token reaches no reply, no log and no byte that is stored', async () => {
  await using installation = await openInstallation()
  await using played = await startAdLibraries()
  const [[meta], [clientKey, clientSecret]] = [played.tokens.meta, played.tokens.tiktok]
  const config = installation.configure({ sources: playedLibrarySources(played) })
  const env = {
    RIVALSCOPE_META_TOKEN: meta,
    RIVALSCOPE_TIKTOK_CLIENT_KEY: clientKey,
    RIVALSCOPE_TIKTOK_CLIENT_SECRET: clientSecret,
  }
  const scopes = ['--name', 'test', '--scopes', 'context:read,content:write']
  const key = (await run(['keys', 'create', ...installation.location, ...scopes])).out.trim()
  const heard: string[] = []
  {
    const where = [...installation.location, '--config', config, '--log-level', 'debug']
    await using serving = start(['serve', ...where, '--port', '0'], { env })
    const [, address = ''] = await serving.says(/^ready (http\S+)$/m)
    const call = async (path: string, body?: object) => {
      const reply = await fetch(address + path, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await reply.text()
      heard.push(text)
      return JSON.parse(text)
    }
    const carry = async (body: object) => {
      heard.push(JSON.stringify(await call('/v1/admin/paid-ads/preview', body)))
      const { runId } = await call('/v1/admin/paid-ads/imports', body)
      return until(
        () => call(`/v1/admin/paid-ads/imports/${runId}`),
        ({ finishedAt }) => finishedAt !== null,
      )
    }
    assert.equal((await carry({ platform: 'meta', terms: ['tides'] })).status, 'succeeded')
    assert.equal((await carry({ platform: 'tiktok', terms: ['tides'] })).status, 'succeeded')
    await call('/v1/admin/paid-ads/advertisers?q=tidepool')
    const record = { id: '42', page_id: '1', page_name: 'A', ad_creative_bodies: ['x'] }
    const ad_snapshot_url = `https://www.facebook.com/ads/archive/render_ad/?id=42&access_token=${meta}`
    await carry({ platform: 'meta', records: [{ ...record, ad_snapshot_url }] })
    const error = { code: 190, message: `Malformed access token ${meta}` }
    played.behave(({ path }) => path.includes('ads_archive'), { does: 'fail', status: 400, error })
    assert.equal((await carry({ platform: 'meta', terms: ['expired'] })).status, 'failed')
    played.recover()
    played.behave(({ path }) => path.includes('/oauth/'), {
      does: 'serve',
      status: 401,
      body: `{"error":"invalid_client","error_description":"secret ${clientSecret} is wrong"}`,
    })
    played.revoke()
    assert.equal((await carry({ platform: 'tiktok', terms: ['revoked'] })).status, 'failed')
    heard.push(serving.said.out, serving.said.err)
    serving.child.kill('SIGTERM')
    await serving.ended
  }
  await using store = await installation.open()
  heard.push(...(await everythingIn(store)))
  const all = heard.join('\n')
  assert.match(all, /Small tides number 3/)
  for (const secret of [meta, clientKey, clientSecret, 'clt.played-token'])
    assert.equal(
      all.indexOf(secret),
      -1,
      `${all.slice(Math.max(0, all.indexOf(secret) - 200), all.indexOf(secret) + 40)}`,
    )
})

/** Every row of every table as text, and every payload. */
async function everythingIn({ db }: Store): Promise<string[]> {
  const tables = await rows(
    db,
    sql<{ name: string }>`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
  )
  const reported: string[] = []
  for (const { name } of tables)
    reported.push(
      ...(await rows(db, sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`)).map(
        ({ row }) => row,
      ),
    )
  const payloads = await rows(db, sql<{ content: Uint8Array }>`select content from payloads`)
  assert.ok(payloads.length > 3)
  for (const { content } of payloads) reported.push(Buffer.from(await decompressPayload(content)).toString())
  return reported
}
