import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storeAddressesIn } from './attributions.ts'

const ids = (text: string) => storeAddressesIn(text).map(({ storeId }) => storeId)

test('an App Store address names its app in any form Apple has written it', () => {
  for (const text of [
    'https://apps.apple.com/us/app/notion/id1232780281',
    'http://itunes.apple.com/us/app/keynote/id361285480?mt=8',
    'see apps.apple.com/app/id361285480.',
    'https://apps.apple.com/id361285480/app/id361285480',
    '(https://apps.apple.com/jp/app/家計簿-アプリ/id361285480)',
    'https://apps.apple.com/us/app/x/id361285480?pt=1&ct=tiktok&mt=8#top',
    'https://apps.apple.com/app/apple-store/id361285480?pt=9',
    'itms-apps://itunes.apple.com/app/id361285480',
    'https://geo.itunes.apple.com/us/app/id361285480',
    'https://itunes.apple.com/app/361285480',
    'https://itunes.apple.com/WebObjects/MZStore.woa/wa/viewSoftware?mt=8&id=361285480',
    'https://www.youtube.com/redirect?event=x&q=https%3A%2F%2Fapps.apple.com%2Fus%2Fapp%2Fid361285480&v=1',
    'ダウンロードはこちらhttps://apps.apple.com/jp/app/id361285480',
    '**[get it](HTTPS://Apps.Apple.com/us/app/get-it/id361285480)**',
  ])
    assert.equal(ids(text).length, text.includes('id361285480/app') ? 0 : 1, text)
})

test('what is no app, or no address of Apple, names none', () => {
  for (const text of [
    'https://itunes.apple.com/us/podcast/serial/id917918570',
    'https://apps.apple.com/us/developer/apple/id284417353',
    'https://apps.apple.com/us/story/id1484100916',
    'https://apps.apple.com.evil.example/us/app/x/id361285480',
    'https://fakeapps.apple.com/us/app/x/id361285480',
    'https://evil.example/apps.apple.com/us/app/x/id361285480',
    'https://me@apps.apple.com/us/app/x/id361285480',
    'https://apps.apple.com@evil.example/us/app/id361285480',
    'https://apps.apple.com/us/app/x/id36128548012345678901',
    'https://apps.apple.com/us/app/x/id361285480abc',
    'https://appsto.re/us/abc.i',
    'Notion on the App Store, id361285480',
  ])
    assert.deepEqual(ids(text), [], text)
})

test('several apps are told in their order, each once', () => {
  const text =
    'apps.apple.com/app/id1000001 apps.apple.com/us/app/b/id1000002 apps.apple.com/de/app/a/id1000001'
  assert.deepEqual(ids(text), ['1000001', '1000002'])
})
