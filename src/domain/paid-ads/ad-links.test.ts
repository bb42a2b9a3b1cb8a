import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attributionsInAd, storeIdOfLandingUrl } from './ad-links.ts'

const store = 'https://apps.apple.com/us/app/tides/id990111222'
const wrapped = (address: string, inner = store) => address.replace('@', encodeURIComponent(inner))

test('an address leads to an app when it is its page, or a redirect says so outright', () => {
  for (const address of [
    store,
    `${store}?mt=8&ct=ad`,
    'http://itunes.apple.com/app/id990111222',
    wrapped('https://l.facebook.com/l.php?u=@&h=AT0x'),
    wrapped('https://l.facebook.com/l.php?u=@', wrapped('https://tides.onelink.me/Ab1?af_ios_url=@')),
    wrapped('https://www.tiktok.com/link/v2?target=@'),
    wrapped('https://tides.onelink.me/Ab1c?pid=x&af_ios_url=@'),
    'https://app.appsflyer.com/id990111222?pid=facebook',
    wrapped('https://app.adjust.com/abc?redirect_ios=@'),
    wrapped('https://tides.app.link/x?%24ios_url=@'),
    'https://tides.page.link/?link=https://tides.example&isi=990111222',
  ])
    assert.equal(storeIdOfLandingUrl(address), '990111222', address)
})

test('an address that only mentions an app does not lead to it', () => {
  for (const address of [
    'https://example.com/',
    wrapped('https://example.com/?next=@'),
    wrapped('https://example.com/l.php?u=@'),
    'https://example.com/apps.apple.com/us/app/id990111222',
    'https://apps.apple.com.example.com/us/app/id990111222',
    'https://l.facebook.com.example.com/l.php?u=https%3A%2F%2Fapps.apple.com%2Fapp%2Fid990111222',
    'https://tides.onelink.me/Ab1c?pid=990111222',
    'https://apps.apple.com/us/developer/id990111222',
    'https://tides.page.link/?isi=99999999999999999999',
    'not an address',
    '',
  ])
    assert.equal(storeIdOfLandingUrl(address), undefined, address)
})

test('grounds name the place they were found in, each app once', () => {
  const creatives = [
    {
      linkUrl: store,
      body: `Get it: ${store} or https://apps.apple.com/de/app/id990111333`,
      displayLink: null,
    },
    { linkUrl: `${store}?x=1`, title: 'apps.apple.com/app/id990111333' },
  ]
  assert.deepEqual(
    attributionsInAd({ creatives }).map(({ storeId, kind, foundIn }) => [storeId, kind, foundIn]),
    [
      ['990111222', 'landing-url', 'link'],
      ['990111222', 'store-url', 'text'],
      ['990111333', 'store-url', 'text'],
    ],
  )
})
