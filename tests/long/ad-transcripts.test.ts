import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { adAnalysis, adTranscript } from '../../src/domain/ad-analysis/ask.ts'
import { performAnalysis } from '../../src/jobs/kinds/ad-analysis.ts'
import { performTranscript } from '../../src/jobs/kinds/ad-transcript.ts'
import { workTask } from '../../src/jobs/work-tasks.ts'
import { SpeechSettings } from '../../src/sources/openai/settings.ts'
import { speechToText } from '../../src/sources/openai/speech.ts'
import { firstRow } from '../../src/storage/database.ts'
import { adsOnFile, type PlayedAd } from '../support/ads-on-file.ts'
import { openFolder } from '../support/files.ts'
import { lacksFfmpeg, lacksVoice, muteVideo, spokenVideo } from '../support/made-media.ts'
import { mp4, playHosts, sends } from '../support/media.ts'
import { hangs, heard, json, playServices, text } from '../support/speech-and-model.ts'
import { untilTrue } from '../support/until.ts'
import { openWorld } from '../support/world.ts'

const parts = new AsyncDisposableStack()
const hosts = parts.use(await playHosts())
const services = parts.use(await playServices())
const world = parts.use(await openWorld({ network: hosts.network }))
const ads = parts.use(adsOnFile(world))
// Temporary files of its own: other processes leave theirs in the usual place.
const temporary = parts.use(openFolder())
const { TMPDIR } = process.env
process.env.TMPDIR = temporary.path
after(async () => {
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
  await parts.disposeAsync()
})
const { db } = world.store

const key = 'sk-very-secret-4711'
const speechOf = (more: object = {}, used: string | undefined = key) =>
  speechToText(
    SpeechSettings.parse({
      baseUrl: services.url,
      model: 'whisper-1',
      name: 'studio-whisper',
      timeoutSeconds: 30,
      ...more,
    }),
    used,
  )
const patient = new AbortController().signal

const ask = async (archiveId: string, more: object = {}) =>
  (await world.call('generate_paid_ad_transcript', { platform: 'meta', archiveId, ...more })).body
const shown = async (archiveId: string) =>
  (await world.call('get_paid_ad', { platform: 'meta', archiveId })).body

/** Does what the queue would do with the newest work about an ad, one attempt after the other. */
async function perform(
  archiveId: string,
  speech = undefined as ReturnType<typeof speechOf> | undefined,
  signal = patient,
) {
  const subject = `meta/${archiveId}`
  for (let attempt = 1; attempt <= 12; attempt++) {
    const work = await firstRow(
      db,
      sql<{ workId: string }>`
        select work_id as "workId" from work
        where kind = 'ad-transcript' and subject = ${subject} and status in ('queued', 'running')`,
    )
    if (!work) break
    await workTask(
      db,
      adTranscript,
      performTranscript(db, world.archive, speech),
    )(work, signal).catch((error: unknown) => {
      if (signal.aborted) throw error
    })
  }
  return shown(archiveId)
}

const host = 'video.fbcdn.net'
let numbers = 7_000
/** An ad with one video that stands at the played hosts. */
async function adWithVideo(content: Buffer, more: PlayedAd = {}): Promise<string> {
  const archiveId = String(++numbers)
  const path = `${archiveId}_1_1_n.mp4`
  hosts.answer(`${host}/${path}`, sends(content, { 'content-type': 'video/mp4' }))
  await ads.import({ archiveId, media: [{ kind: 'video', url: `https://${host}/${path}` }], ...more })
  return archiveId
}

const leftBehind = () => readdirSync(tmpdir()).filter((name) => name.startsWith('rivalscope-reading-'))

test('captions that the source gave are the transcript, without asking anybody', async () => {
  const captions = {
    language: 'en',
    segments: [
      { startSeconds: 3, endSeconds: 6, text: 'Found the quokkameter app.' },
      { startSeconds: 0, endSeconds: 2.5, text: 'I gave  up.' },
    ],
  }
  await ads.import({
    archiveId: '6001',
    media: [{ kind: 'video', url: 'https://media.example.com/v.mp4', captions }],
  })
  const asked = await ask('6001', { language: 'de' })
  assert.deepEqual([asked.status, asked.languageHint, asked.result], ['queued', 'de', null])
  assert.equal((await shown('6001')).transcriptState, 'under-way')
  const ad = await perform('6001')
  assert.equal(ad.transcriptState, 'available')
  const { result, status } = ad.transcript
  assert.equal(status, 'succeeded')
  assert.equal(result.text, 'I gave up. Found the quokkameter app.')
  assert.deepEqual(result.provider, { name: 'source-captions', version: '1' })
  assert.equal(result.mediaId, ad.creatives[0].media[0].mediaId)
  assert.deepEqual(result.segments[0], {
    startSeconds: 0,
    endSeconds: 2.5,
    text: 'I gave up.',
    confidence: null,
  })
  const terms = await firstRow(
    db,
    sql<{ found: boolean }>`select terms @@ 'quokkameter'::tsquery as found from ad_search s
      join ads using (ad_number) where archive_id = '6001'`,
  )
  assert.equal(terms?.found, true, 'its words can be searched')
})

test('asking twice is one work; once ended it answers its result, and force makes it anew while the result stays', async () => {
  const segments = [{ startSeconds: 0, endSeconds: 2, text: 'Hello there.' }]
  const media = [
    { kind: 'video', url: 'https://media.example.com/w.mp4', captions: { language: null, segments } },
  ]
  await ads.import({ archiveId: '6002', media })
  const [one, other] = await Promise.all([ask('6002'), ask('6002', { force: true })])
  assert.equal(one.createdAt, other.createdAt)
  await perform('6002')
  const ended = await ask('6002')
  assert.deepEqual([ended.status, ended.createdAt], ['succeeded', one.createdAt])
  const again = await ask('6002', { force: true })
  assert.equal(again.status, 'queued')
  assert.equal(again.result.text, 'Hello there.')
  assert.equal((await shown('6002')).transcriptState, 'available')
  const works = await sql<{
    n: number
  }>`select count(*)::int as n from work where subject = 'meta/6002'`.execute(db)
  assert.equal(works.rows[0]?.n, 2)
})

test('an ad nobody has observed has no transcript to ask for', async () => {
  const reply = await world.call('generate_paid_ad_transcript', { platform: 'tiktok', archiveId: '6001' })
  assert.deepEqual([reply.status, reply.body.code], [404, 'paid-ad-not-found'])
})

test('what cannot be heard is an end, with its reason', async () => {
  const speech = speechOf()
  const ends: [string, string, PlayedAd, typeof speech | undefined][] = [
    ['6010', 'no-video', { media: [{ kind: 'image', url: 'https://media.example.com/i.jpg' }] }, speech],
    ['6011', 'no-video', { media: [] }, speech],
    ['6012', 'not-configured', { media: [{ kind: 'video', url: `https://${host}/x_1_1_n.mp4` }] }, undefined],
  ]
  for (const [archiveId, reason, more, used] of ends) {
    await ads.import({ archiveId, ...more })
    await ask(archiveId)
    const ad = await perform(archiveId, used)
    assert.deepEqual(
      [archiveId, ad.transcript.status, ad.transcript.result.reason],
      [archiveId, 'succeeded', reason],
    )
    assert.equal(ad.transcriptState, 'unavailable')
  }
})

test('a video that is gone, and one that may not be copied, are told apart', {
  skip: lacksFfmpeg,
}, async () => {
  const speech = speechOf()
  await ads.import({ archiveId: '6020', media: [{ kind: 'video', url: `https://${host}/gone_1_1_n.mp4` }] })
  await ads.import({ archiveId: '6021', media: [{ kind: 'video', url: 'https://elsewhere.example/v.mp4' }] })
  for (const [archiveId, reason] of [
    ['6020', 'media-removed-upstream'],
    ['6021', 'media-not-kept'],
  ] as const) {
    await ask(archiveId)
    assert.equal((await perform(archiveId, speech)).transcript.result.reason, reason)
  }
})

test('a video that could not be copied again and again is told as failed, and so are the words spoken in it', {
  skip: lacksFfmpeg,
}, async () => {
  const archiveId = '6022'
  hosts.answer(`${host}/down_1_1_n.mp4`, sends('', {}, 500))
  await ads.import({ archiveId, media: [{ kind: 'video', url: `https://${host}/down_1_1_n.mp4` }] })
  await ask(archiveId)
  const { transcript } = await perform(archiveId, speechOf())
  assert.deepEqual([transcript.status, transcript.result.reason], ['succeeded', 'media-failed'])
  const { body } = await world.call('analyze_paid_ad_creative', { platform: 'meta', archiveId })
  await workTask(db, adAnalysis, performAnalysis(db, world.archive, undefined))(body, patient)
  assert.equal((await shown(archiveId)).analysis.result.facts.spokenWords.reason, 'source-failed')
})

test('a spoken video is copied and heard, in its own language and with times', {
  skip: lacksVoice,
}, async () => {
  services.hears(
    heard(
      { start: 0, end: 2, text: ' Stop scrolling for six seconds.', avg_logprob: -0.06, no_speech_prob: 0.01 },
      { start: 2.2, end: 6.9, text: ' Try it free today.', avg_logprob: -0.1, no_speech_prob: 0.01 },
      { start: 3.1, end: 3.9, text: ' [Music]', avg_logprob: -0.2, no_speech_prob: 0.1 },
    ),
  )
  const archiveId = await adWithVideo(spokenVideo('Stop scrolling for six seconds. Try it free today.'))
  await ask(archiveId, { language: 'en-GB' })
  const ad = await perform(archiveId, speechOf())
  const { result } = ad.transcript
  assert.equal(result.text, 'Stop scrolling for six seconds. Try it free today.')
  assert.deepEqual(
    [result.language, result.provider.name, result.provider.version],
    ['en', 'studio-whisper', 'whisper-1'],
  )
  assert.deepEqual(
    result.segments.map((one: { confidence: number; endSeconds: number }) => [
      one.confidence,
      Math.round(one.endSeconds),
    ]),
    [
      [0.94, 2],
      [0.9, 4],
    ],
    'an end behind the end of the sound is put there',
  )
  assert.equal(ad.creatives[0].media[0].kept.status, 'stored')
  const sent = services.asked.at(-1)
  assert.equal(sent?.authorization, `Bearer ${key}`)
  assert.match(sent?.body ?? '', /name="language"\r\n\r\nen\r\n/)
  assert.match(sent?.body ?? '', /name="response_format"\r\n\r\nverbose_json/)
  assert.doesNotMatch(sent?.body ?? '', /translat/)
  assert.deepEqual(leftBehind(), [])
})

test('a server that answers only text gives one segment as long as the sound', {
  skip: lacksVoice,
}, async () => {
  const archiveId = await adWithVideo(spokenVideo('Hello.'))
  services.hears(json({ text: ' Hello. ' }))
  await ask(archiveId)
  const { result } = (await perform(archiveId, speechOf())).transcript
  assert.deepEqual([result.segments.length, result.language], [1, null])
  assert.deepEqual([result.segments[0].text, Math.round(result.segments[0].endSeconds)], ['Hello.', 4])
})

test('a service of one’s own is asked without a key when none is set', { skip: lacksVoice }, async () => {
  const archiveId = await adWithVideo(spokenVideo('Hello.'))
  services.hears(json({ text: 'Hello.' }))
  await ask(archiveId)
  const settings = { baseUrl: services.url, model: 'base', name: 'own', timeoutSeconds: 30 }
  await perform(archiveId, speechToText(SpeechSettings.parse(settings), undefined))
  assert.equal(services.asked.at(-1)?.authorization, undefined)
})

test('silence is an end: nothing, no words, or what is no speech by the provider’s own word', {
  skip: lacksVoice,
}, async () => {
  for (const silence of [
    json({ text: '', segments: [] }),
    heard({ start: 0, end: 4, text: ' ♪ la la ♪ (applause)' }),
    heard({ start: 0, end: 4, text: ' Thank you.', no_speech_prob: 0.93, avg_logprob: -1.4 }),
  ]) {
    const archiveId = await adWithVideo(spokenVideo('Hm.'))
    services.hears(silence)
    await ask(archiveId)
    const ad = await perform(archiveId, speechOf())
    assert.deepEqual([ad.transcript.result.outcome, ad.transcriptState], ['no-speech', 'no-speech'])
  }
})

test('a video without a sound track, and bytes that are no video', { skip: lacksFfmpeg }, async () => {
  const mute = await adWithVideo(muteVideo())
  await ask(mute)
  assert.equal((await perform(mute, speechOf())).transcript.result.reason, 'no-sound')
  const broken = await adWithVideo(mp4(50_000))
  await ask(broken)
  const { transcript, transcriptState } = await perform(broken, speechOf())
  assert.deepEqual(
    [transcript.status, transcript.lastError.code, transcript.result, transcriptState],
    ['failed', 'unreadable-media', null, 'failed'],
  )
  assert.doesNotMatch(transcript.lastError.message, /tmp|rivalscope-reading/)
  assert.deepEqual(leftBehind(), [])
})

test('a failing or lying service makes the work fail after its attempts, without its secrets', {
  skip: lacksVoice,
}, async () => {
  const content = spokenVideo('Hello.')
  const lies: [RegExp, number, Parameters<typeof services.hears>[0]][] = [
    [/answers 500/, 3, json({ error: { message: `bad key ${key}` } }, 500)],
    [
      /answers 401: invalid_api_key\./,
      1,
      json({ error: { message: `Incorrect key: ${key}`, code: 'invalid_api_key' } }, 401),
    ],
    [/words from 500 to 600 s/, 3, heard({ start: 500, end: 600, text: 'Later.' })],
    [/characters for/, 3, json({ text: 'word '.repeat(2_000) })],
    [/cannot be (read|reached)/, 3, json({ text: 'x'.repeat(6_000_000) })],
    [
      /not as it should be|cannot be read/,
      3,
      (_asked, response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"text":'),
    ],
    [
      /cannot be reached|answers 302/,
      3,
      (_asked, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ],
  ]
  for (const [message, attempts, answer] of lies) {
    const archiveId = await adWithVideo(content)
    services.hears(answer)
    await ask(archiveId)
    const { transcript } = await perform(archiveId, speechOf())
    assert.deepEqual(
      [transcript.status, transcript.attempts, transcript.result],
      ['failed', attempts, null],
      String(message),
    )
    assert.match(transcript.lastError.message, message)
    assert.doesNotMatch(JSON.stringify(transcript), /sk-very|4711/)
  }
  assert.deepEqual(leftBehind(), [])
})

test('a plain text is taken as what was said', { skip: lacksVoice }, async () => {
  const archiveId = await adWithVideo(spokenVideo('Hello.'))
  services.hears(text('Hello plain.'))
  await ask(archiveId)
  assert.equal((await perform(archiveId, speechOf())).transcript.result.text, 'Hello plain.')
})

test('a forced repetition that fails leaves the earlier transcript', { skip: lacksVoice }, async () => {
  const archiveId = await adWithVideo(spokenVideo('Hello.'))
  services.hears(json({ text: 'Hello.' }))
  await ask(archiveId)
  await perform(archiveId, speechOf())
  services.hears(json({}, 400))
  await ask(archiveId, { force: true })
  const { transcript, transcriptState } = await perform(archiveId, speechOf())
  assert.deepEqual(
    [transcript.status, transcript.result.text, transcriptState],
    ['failed', 'Hello.', 'available'],
  )
})

test('work that is stopped leaves no program and no file behind, nor what was left by one that was killed, and can be done again', {
  skip: lacksVoice,
}, async () => {
  const archiveId = await adWithVideo(spokenVideo('Hello.'))
  const killed = join(tmpdir(), 'rivalscope-reading-killed')
  mkdirSync(killed)
  utimesSync(killed, new Date('2026-01-01'), new Date('2026-01-01'))
  services.hears(hangs)
  await ask(archiveId)
  const stop = new AbortController()
  const asked = services.asked.length
  const stopped = assert.rejects(perform(archiveId, speechOf(), stop.signal))
  await untilTrue(() => services.asked.length > asked)
  stop.abort(new Error('stopping'))
  await stopped
  assert.deepEqual(leftBehind(), [])
  assert.equal((await shown(archiveId)).transcriptState, 'under-way')
  services.hears(json({ text: 'Hello.' }))
  assert.equal((await perform(archiveId, speechOf())).transcript.result.text, 'Hello.')
})

test('without ffmpeg it is said that the decoder is missing', async () => {
  const archiveId = await adWithVideo(mp4(50_000))
  await ask(archiveId)
  const path = process.env.PATH
  process.env.PATH = '/nowhere'
  const { transcript } = await perform(archiveId, speechOf()).finally(() => {
    process.env.PATH = path
  })
  assert.deepEqual([transcript.status, transcript.result.reason], ['succeeded', 'decoder-missing'])
})
