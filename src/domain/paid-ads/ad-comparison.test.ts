import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdSighting } from './ad.ts'
import {
  adFactsAt,
  compareAd,
  creativeIdOf,
  type KnownAd,
  stablePartOfMediaUrl,
  withoutTracking,
} from './ad-comparison.ts'

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
  stated: { advertiserName: 'Tides', startedOn: '2026-02-01', active: true, endedOn: null },
  creatives: [creative],
  ...more,
})

const standing = (known: KnownAd | undefined, ad: AdSighting) =>
  compareAd(known, { facts: adFactsAt(ad, at), creatives: ad.creatives })

test('an ad that says the same, or less, is known', () => {
  for (const sighting of [
    seen(),
    seen({ stated: {}, creatives: [], advertiserId: null }),
    seen({ stated: { ...seen().stated, paidBy: null } }),
    seen({ creatives: [{ body: 'For every  day' }] }),
    seen({ creatives: [{ ...creative, linkUrl: 'https://example.com/?fbclid=2', callToActionText: 'Go' }] }),
  ])
    assert.deepEqual(standing(known, sighting), { standing: 'known', changes: [] })
  assert.deepEqual(standing(undefined, seen()), { standing: 'new', changes: [] })
})

test('what differs is named', () => {
  const changes = (more: Partial<AdSighting>) => standing(known, seen(more)).changes
  assert.deepEqual(changes({ stated: { active: false, endedOn: '2026-03-01', reachText: '11K' } }), [
    'active',
    'endedOn',
    'reachText',
  ])
  assert.deepEqual(changes({ creatives: [creative, { ...creative, title: 'Big tides' }] }), ['creatives'])
  assert.deepEqual(changes({ stated: { advertiserName: 'Pools' } }), ['advertiserName'])
})

test('an ad of Meta of which only an end is told runs until that day is over', () => {
  const changes = (endedOn: string | null) =>
    standing(known, seen({ stated: { endedOn } })).changes.includes('active')
  assert.deepEqual([changes(null), changes('2026-03-05'), changes('2026-03-04')], [false, false, true])
})

test('what stays of a media address outlives its signatures', () => {
  const same = [
    [
      'https://scontent-a.xx.fbcdn.net/v/t39.35426-6/436382781_444245668039808_59426_n.jpg?_nc_cat=108&oh=00_AfB&oe=6622',
      'https://scontent-b.yy.fbcdn.net/v/t39.35426-6/436382781_444245668039808_59426_n.jpg?stp=dst&oh=11&oe=7733',
    ],
    [
      'https://v16m-default.tiktokcdn.com/261e8ad4/68f77999/video/tos/alisg/tos-alisg-ve-0051c001-sg/okqEwcBJWE06/?a=0&l=1',
      'https://v19-x.tiktokcdn.com/aaaaaaaa/79999999/video/tos/alisg/tos-alisg-ve-0051c001-sg/okqEwcBJWE06/?a=9',
    ],
    [
      'https://p16-sign-sg.tiktokcdn.com/tos-alisg-p-0051c001-sg/oA05SU~tplv-noop.image?t=9&x-signature=a',
      'https://p19-sign-sg.tiktokcdn.com/tos-alisg-p-0051c001-sg/oA05SU~tplv-noop.image?t=8&x-signature=b',
    ],
    ['https://media.example.com/a.mp4?sig=1', 'https://media.example.com/a.mp4?sig=2'],
  ]
  for (const [one = '', other = ''] of same) {
    assert.ok(stablePartOfMediaUrl(one), one)
    assert.equal(stablePartOfMediaUrl(one), stablePartOfMediaUrl(other))
  }
  assert.notEqual(
    stablePartOfMediaUrl('https://scontent.xx.fbcdn.net/v/t39/1_2_3_n.jpg'),
    stablePartOfMediaUrl('https://scontent.xx.fbcdn.net/v/t39/1_2_4_n.jpg'),
  )
  // Meta renames its videos from time to time.
  assert.equal(stablePartOfMediaUrl('https://video.xx.fbcdn.net/o1/v/t2/f2/m366/AQMLSBK0hvD1.mp4'), undefined)
})

test('an address without its tracking is the same for every click', () => {
  assert.equal(
    withoutTracking('https://www.example.com/a/?utm_source=x&b=2&a=1&fbclid=y'),
    withoutTracking('http://example.com/a?a=1&b=2&ttclid=z#top'),
  )
  assert.notEqual(withoutTracking('https://example.com/a?id=1'), withoutTracking('https://example.com/a?id=2'))
})

test('a creative is another one when its words, link or pictures are', () => {
  const creative = {
    title: 'Small tides',
    body: 'For  every day',
    linkUrl: 'https://example.com/',
    media: [{ kind: 'image' as const, url: 'https://media.example.com/a.jpg?sig=1' }],
  }
  const id = creativeIdOf('meta', '1', creative)
  assert.equal(creativeIdOf('meta', '1', { ...creative, body: 'For every day ' }), id)
  assert.equal(creativeIdOf('meta', '1', { ...creative, callToAction: 'install-now' }), id)
  for (const other of [
    { ...creative, body: 'For every night' },
    { ...creative, linkUrl: 'https://example.com/b' },
    { ...creative, media: [] },
    { ...creative, media: [{ kind: 'image' as const, url: 'https://media.example.com/b.jpg' }] },
  ])
    assert.notEqual(creativeIdOf('meta', '1', other), id)
  assert.notEqual(creativeIdOf('meta', '2', creative), id)
  assert.notEqual(creativeIdOf('tiktok', '1', creative), id)
})
