import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { operate } from './support/operator.ts'
import { openWorld, type World } from './support/world.ts'

/** Ads and links that accounts bring themselves: shown as theirs, never in place of a library's word, and taken back. */

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world?.[Symbol.asyncDispose]())

const record = (archiveId: string, more: object = {}) => ({
  platform: 'meta',
  archiveId,
  advertiser: { id: '5001', name: 'Tidepool Habits' },
  creatives: [{ text: 'As the library shows it' }],
  startedOn: '2026-02-20',
  active: true,
  observedAt: '2026-03-01T08:00:00Z',
  ...more,
})

describe('Whether a key may bring evidence', () => {
  const made = async (bringEvidence?: 'on' | 'off') => {
    const { code, out } = await operate(world, {
      command: 'keys create',
      options: {
        name: 'script',
        scopes: ['context:read', 'content:write'],
        account: 'script',
        ...(bringEvidence ? { bringEvidence } : {}),
      },
    })
    assert.equal(code, 0)
    return out.trim()
  }
  const bringing = (key: string) => [
    () => world.call('admin_preview_paid_ads', { platform: 'meta', records: [record('1')] }, { key }),
    () => world.call('admin_import_paid_ads', { platform: 'meta', records: [record('1')] }, { key }),
    () =>
      world.call(
        'admin_link_paid_ads',
        { action: 'unlink', platform: 'meta', advertiserId: '1', competitor: '9' },
        { key },
      ),
  ]

  test("is the operator's to say; where nothing is said it may", async () => {
    const open = await made()
    for (const bring of bringing(open)) assert.ok((await bring()).status < 300)
    const shut = await made('off')
    for (const bring of bringing(shut)) {
      const { status, body } = await bring()
      assert.deepEqual([status, body.code], [403, 'evidence-not-allowed'])
      assert.match(body.detail, /keys create/)
    }
  })

  test('holds for a preview that another key of the account made', async () => {
    const open = await made()
    const shut = await made('off')
    const { body } = await world.call(
      'admin_preview_paid_ads',
      { platform: 'meta', records: [record('2')] },
      { key: open },
    )
    const { previewToken } = body
    const refused = await world.call('admin_import_paid_ads', { previewToken }, { key: shut })
    assert.equal(refused.body.code, 'evidence-not-allowed')
    assert.equal((await world.call('admin_import_paid_ads', { previewToken }, { key: open })).status, 202)
  })

  test('is nothing to what asks the libraries, and is told by keys list', async () => {
    const shut = await made('off')
    const { body } = await world.call(
      'admin_import_paid_ads',
      { platform: 'meta', terms: ['tides'] },
      { key: shut },
    )
    assert.equal(body.code, 'source-not-configured')
    const { out } = await operate(world, { command: 'keys list', options: {} })
    assert.match(out, /brings no evidence/)
  })
})
