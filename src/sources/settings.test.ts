import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sources, upstreams } from './settings.ts'

const refusal = (written: unknown) => {
  const { error } = Sources.safeParse(written)
  return error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
}

test('without a word every upstream has its settings, and itunes keeps to twenty calls a minute', () => {
  const sources = Sources.parse({})
  assert.equal(sources.itunes.callsPerMinute, 20)
  assert.equal(sources.chartFeed, 'legacy')
  for (const name of upstreams) {
    assert.equal(sources[name].pace, name)
    assert.match(sources[name].baseUrl, /^https:\/\/[a-z.]+\.(apple|facebook|snapchat|tiktokapis)\.com$/)
    assert.match(sources[name].headers['user-agent'] ?? '', /^Rivalscope\//)
  }
})

test('what is written replaces what is usual, and headers are added to the usual ones', () => {
  const { itunes } = Sources.parse({
    itunes: { baseUrl: 'http://mirror.example:8080/apple', callsPerMinute: 0, headers: { 'X-Contact': 'a' } },
  })
  assert.equal(itunes.baseUrl, 'http://mirror.example:8080/apple')
  assert.equal(itunes.callsPerMinute, 0)
  assert.equal(itunes.attempts, 3)
  assert.deepEqual(Object.keys(itunes.headers), ['user-agent', 'x-contact'])
  assert.equal(Sources.parse({ itunes: { headers: { 'User-Agent': 'b' } } }).itunes.headers['user-agent'], 'b')
})

test('two upstreams can share one pace, which is then that of the named one', () => {
  const sources = Sources.parse({ itunes: { callsPerMinute: 12 }, 'apple-rss-legacy': { pace: 'itunes' } })
  assert.deepEqual(
    [sources['apple-rss-legacy'].pace, sources['apple-rss-legacy'].callsPerMinute],
    ['itunes', 12],
  )
})

test('mistakes are refused by name', () => {
  assert.match(refusal({ itune: {} }) ?? '', /itune/)
  assert.match(refusal({ itunes: { speed: 3 } }) ?? '', /speed/)
  for (const baseUrl of [
    'ftp://itunes.apple.com',
    'itunes.apple.com',
    'https://me:secret@itunes.apple.com',
    'https://x.example/?a=1',
  ])
    assert.match(refusal({ itunes: { baseUrl } }) ?? '', /^itunes\.baseUrl: must/, baseUrl)
  assert.match(refusal({ itunes: { callsPerMinute: -1 } }) ?? '', /itunes\.callsPerMinute/)
  assert.match(refusal({ itunes: { headers: { 'bad name': 'x' } } }) ?? '', /itunes\.headers/)
  assert.match(refusal({ itunes: { headers: { x: 'a\nb' } } }) ?? '', /itunes\.headers/)
  assert.match(refusal({ metaApiVersion: '24' }) ?? '', /metaApiVersion: must be a version/)
  assert.match(refusal({ chartFeed: 'v3' }) ?? '', /chartFeed/)
})
