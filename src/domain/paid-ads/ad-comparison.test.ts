import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdSighting } from './ad.ts'
import { compareAd, factsAt, type KnownAd } from './ad-comparison.ts'

const at = new Date('2026-03-05T00:00:00Z')
const creative = { title: 'Small tides', body: 'For every day', linkUrl: 'https://example.com/?fbclid=1' }
const known: KnownAd = {
  facts: { advertiserId: '5', advertiserName: 'Tides', startedOn: '2026-02-01', active: true, endedOn: null },
  evidence: [],
  creatives: [creative],
}
const seen = (more: Partial<AdSighting> = {}): AdSighting => ({
  platform: 'meta',
  archiveId: '1',
  advertiserId: '5',
  stated: { advertiserName: 'Tides', startedOn: '2026-02-01' },
  delivery: { active: true, endedOn: null },
  creatives: [creative],
  ...more,
})

const standing = (known: KnownAd | undefined, ad: AdSighting) =>
  compareAd(known, { facts: factsAt(ad, at), creatives: ad.creatives })

test('an ad that says the same, or less, is known', () => {
  for (const sighting of [
    seen(),
    seen({ stated: {}, delivery: {}, creatives: [], advertiserId: null }),
    seen({ stated: { ...seen().stated, paidBy: null } }),
    seen({ creatives: [{ body: 'For every  day' }] }),
    seen({ creatives: [{ ...creative, linkUrl: 'https://example.com/?fbclid=2', callToActionText: 'Go' }] }),
  ])
    assert.deepEqual(standing(known, sighting), { standing: 'known', changes: [] })
  assert.deepEqual(standing(undefined, seen()), { standing: 'new', changes: [] })
})

test('what differs is named', () => {
  const changes = (more: Partial<AdSighting>) => standing(known, seen(more)).changes
  assert.deepEqual(changes({ delivery: { active: false, endedOn: '2026-03-01', reachText: '11K' } }), [
    'active',
    'endedOn',
    'reachText',
  ])
  assert.deepEqual(changes({ creatives: [creative, { ...creative, title: 'Big tides' }] }), ['creatives'])
  assert.deepEqual(changes({ stated: { advertiserName: 'Pools' } }), ['advertiserName'])
})

test('an ad of Meta of which only an end is told runs until that day is over', () => {
  const changes = (endedOn: string | null) =>
    standing(known, seen({ delivery: { endedOn } })).changes.includes('active')
  assert.deepEqual([changes(null), changes('2026-03-05'), changes('2026-03-04')], [false, false, true])
})
