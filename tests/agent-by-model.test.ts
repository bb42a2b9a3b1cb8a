import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { askAll } from '../bench/agent/asked.ts'
import { byModel, formOf } from '../bench/agent/model.ts'
import type { Question } from '../bench/agent/questions.ts'
import { ModelSettings } from '../src/sources/openai/settings.ts'
import { storeListings } from './support/listings.ts'
import { completion, json, type PlayedServices, playServices } from './support/speech-and-model.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
let services: PlayedServices
let address: string
before(async () => {
  world = await openWorld()
  services = await playServices()
  address = await world.server.listen({ host: '127.0.0.1', port: 0 })
  await storeListings(world, [{ trackId: 801, trackName: 'Reed', observedAt: '2026-03-01T06:00:00Z' }])
})
after(async () => {
  await world[Symbol.asyncDispose]()
  await services[Symbol.asyncDispose]()
})

const question: Question = {
  name: 'id',
  question: 'Which id has Reed in the US?',
  goal: { calls: 1, kB: 1 },
  answer: async (ask) => (await ask('search_competitors', { q: 'Reed' })).items[0].storeId,
  truth: async (get) => (await get('/v1/competitors/ios/801?country=us')).storeId,
}

/** A model that calls a tool. */
const calls = (name: string, given: string, tokens = 900) =>
  json({
    choices: [
      {
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: given } }],
        },
      },
    ],
    usage: { total_tokens: tokens },
  })

/** What a model with these answers makes of the question. */
async function asked(dailyLimit = {}, questions = [question], forms = new Map([['id', formOf('801')]])) {
  const settings = ModelSettings.parse({ baseUrl: services.url, model: 'm', name: 'studio', dailyLimit })
  const spent = { requests: 0, tokens: 0 }
  services.asked.length = 0
  const by = byModel(settings, 'a-key', forms, spent)
  return { answers: await askAll(questions, address, await world.key(), by), spent, sent: services.asked }
}

test('a model is shown what a client shows it, calls tools, and is judged as the script is', async () => {
  services.reads(calls('search_competitors', '{"q":"Reed"}'), completion('"801"'))
  const { answers, spent, sent } = await asked()
  const [{ right, answer, calls: made, refusals, bytes } = assert.fail()] = answers
  assert.deepEqual([right, answer, made, refusals], [true, '801', 1, 0])
  assert.ok(bytes > 100)
  assert.deepEqual(spent, { requests: 2, tokens: 1_800 })
  const [first, second] = sent.map(({ json: body }) => body)
  assert.equal(sent[0]?.authorization, 'Bearer a-key')
  assert.equal(Object(first).tools.length, 45)
  const [system, user] = first?.messages ?? []
  assert.match(system?.content ?? '', /search_competitors turns a name into a storeId/)
  assert.equal(user?.content, 'Which id has Reed in the US?\nForm of the answer: "text"')
  assert.doesNotMatch(JSON.stringify(first), /801/)
  assert.match(JSON.stringify(second?.messages?.at(-1)), /"tool_call_id":"c1".*801/)
})

test('another answer is wrong, in whatever words', async () => {
  for (const said of ['"802"', 'I do not know.', '', '{"storeId":"801"}']) {
    services.reads(completion(said))
    const { answers } = await asked()
    assert.equal(answers[0]?.right, false, said)
  }
  services.reads(completion('The answer:\n```json\n["801"]\n```'))
  assert.deepEqual((await asked()).answers[0]?.answer, ['801'])
})

test('what a model gets wrong in a call is told to it, and counts as a refusal', async () => {
  services.reads(
    calls('search_competitor', '{}'),
    calls('search_competitors', 'q=Reed'),
    calls('search_competitors', '{"limit":-1}'),
    completion('"801"'),
  )
  const { answers, sent } = await asked()
  assert.deepEqual([answers[0]?.right, answers[0]?.calls, answers[0]?.refusals], [true, 3, 3])
  const told = sent.map(({ json: body }) => String(body?.messages?.at(-1)?.content))
  assert.match(told[1] ?? '', /near it: search_competitors/)
  assert.match(told[2] ?? '', /no JSON object/)
  assert.match(told[3] ?? '', /limit: must be at least/)
})

test('a run ends at the limit of requests or of tokens, and at so many turns of a question', async () => {
  services.reads(calls('list_aso_apps', '{}'))
  const circling = await asked()
  assert.equal(circling.spent.requests, 20)
  assert.match(String(circling.answers[0]?.answer), /no answer after 20 turns/)
  const many = Array.from({ length: 61 }, (_, id) => ({ id: `c${id}`, function: { name: 'x', arguments: '' } }))
  services.reads(json({ choices: [{ message: { tool_calls: many } }] }))
  assert.match(String((await asked()).answers[0]?.answer), /no answer after 0 calls/)
  services.reads(calls('list_aso_apps', '{}'))
  const few = await asked({ requests: 3 }, [question, question])
  assert.equal(few.sent.length, 3)
  assert.deepEqual(
    few.answers.map(({ answer }) => answer),
    ['the limit was reached', 'the limit was reached'],
  )
  const poor = await asked({ tokens: 1_000 })
  assert.deepEqual([poor.sent.length, poor.answers[0]?.right], [0, false])
})

test('a model that fails or answers something else is told by its name, without the key', async () => {
  for (const [reads, words] of [
    [json({ error: { code: 'bad' } }, 500), /studio answers 500/],
    [json({ choices: [] }), /studio answers no text/],
    [json({ choices: [{ message: { content: 5 } }] }), /studio answers no text/],
  ] as const) {
    services.reads(reads)
    const { answers } = await asked()
    assert.match(String(answers[0]?.answer), words)
    assert.doesNotMatch(JSON.stringify(answers), /a-key/)
  }
})

test('the form of an answer has kinds for values, and the names of its parts', () => {
  assert.deepEqual(
    formOf({ chart: [3, 'absent'], changed: ['name'], apps: [{ id: '1' }, { id: '2' }], none: null }),
    {
      chart: ['number', 'text'],
      changed: ['text'],
      apps: [{ id: 'text' }, '…'],
      none: 'null',
    },
  )
})
