import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchesFor, siteOf, suggestedApps } from './link-suggestions.ts'

const apps = [
  {
    storeId: '1',
    name: 'Tidepool: Habits',
    developer: 'Salt Lamp GmbH',
    website: 'https://www.tidepool.example/app',
  },
  { storeId: '2', name: 'Tide Times', developer: 'Other', website: undefined },
  { storeId: '3', name: 'Ledger', developer: 'Tidepool Habits, Inc.', website: 'https://ledger.example' },
  { storeId: '4', name: 'Tid', developer: undefined, website: undefined },
]

test('an app is suggested by the site that its ad leads to, by its developer and by its name, with each reason', () => {
  const clues = { advertiser: 'Tidepool Habits', landingPages: ['https://go.tidepool.example/x?a=1'] }
  assert.deepEqual(
    suggestedApps(clues, apps).map(({ app, reasons }) => [app.storeId, reasons]),
    [
      ['1', ['landing page on tidepool.example, the developer’s website', 'app has the advertiser’s name']],
      ['3', ['developer has the advertiser’s name']],
    ],
  )
  const [named] = suggestedApps({ advertiser: 'Nobody', landingPages: [], texts: ['Try LEDGER today'] }, apps)
  assert.deepEqual([named?.app.storeId, named?.reasons], ['3', ['named in the ad text']])
  assert.deepEqual(suggestedApps({ advertiser: undefined, landingPages: [] }, apps), [])
})

test('sites of everybody, addresses of machines and broken addresses tell no app', () => {
  for (const address of [
    'https://apps.apple.com/app/id1',
    'https://l.facebook.com/x',
    'http://10.0.0.1/',
    'no',
    'https://localhost',
  ])
    assert.equal(siteOf(address), undefined, address)
  assert.equal(siteOf('https://shop.example.co.uk/a'), 'example.co.uk')
  assert.equal(siteOf('https://EXAMPLE.com.'), undefined)
})

test('an ad is looked for by its advertiser and the name of the site, each once', () => {
  const landingPages = ['https://x.com/a', 'https://a.tidepool.example']
  assert.deepEqual(searchesFor({ advertiser: 'Tidepool', landingPages }), ['Tidepool'])
  assert.deepEqual(searchesFor({ advertiser: 'Salt Lamp', landingPages }), ['Salt Lamp', 'tidepool'])
  assert.deepEqual(searchesFor({ advertiser: undefined, landingPages: [] }), [])
})
