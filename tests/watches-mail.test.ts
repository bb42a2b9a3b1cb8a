import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import type { InputOf } from '../src/commands.ts'
import { readConfiguration } from '../src/configuration.ts'
import { recordFailure } from '../src/domain/collecting/health.ts'
import { dueDigestSpan } from '../src/domain/watches/digests.ts'
import { evaluateWatches } from '../src/domain/watches/evaluate.ts'
import { notifyChannel } from '../src/jobs/notifications/notify.ts'
import { lookAtSchedule } from './support/collecting.ts'
import { openFolder } from './support/files.ts'
import { importContent } from './support/imports.ts'
import { operate } from './support/operator.ts'
import { openSmtpServer, type SmtpServer } from './support/smtp-server.ts'
import { storeTracked } from './support/tracking.ts'
import { until } from './support/until.ts'
import { openWorld, type World } from './support/world.ts'

/** Mail at once and in digests. Each test has an account and a country of its own. */

let world: World
let server: SmtpServer
const folder = openFolder()
before(async () => {
  server = await openSmtpServer()
  world = await openWorld({
    watches: { allowPrivateAddresses: true, publicUrl: 'https://r.example', timeoutSeconds: 5 },
    environment: { RIVALSCOPE_SMTP_URL: server.address, RIVALSCOPE_MAIL_FROM: 'rivals@r.example' },
  })
})
after(async () => {
  await world?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})
beforeEach(() => server.answers(() => undefined))

const patient = new AbortController().signal
const hour = 3_600_000
/** A zone in which it is noon, so that the digests of yesterday are due. */
const atNoon = (() => {
  const east = 12 - new Date().getUTCHours()
  return `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`
})()

async function chart(country: string, at: Date, rank: number, name = 'Notes & <b>Co</b>'): Promise<void> {
  const rows = Array.from({ length: 50 }, (_, index) =>
    index + 1 === rank ? `${rank},71,${name}` : `${index + 1},${900_000 + index},An app`,
  )
  await importContent(world, folder, 'charts', `rank,id,name\n${rows.join('\n')}\n`, {
    country,
    chart: 'top-free',
    category: '36',
    observedAt: at.toISOString(),
  })
}

/** An account with a watch of the first ten places, and mail. @returns the id of its channel */
async function mailed(
  account: string,
  country: string,
  more: Partial<InputOf<'channels add'>> = {},
): Promise<string> {
  await world.key([], account)
  await chart(country, new Date(Date.now() - 60 * hour), 40)
  await operate(world, {
    command: 'watches add',
    options: { kind: 'top', app: '71', country, places: [10], account },
  })
  await operate(world, { command: 'watches times', options: { account, timeZone: atNoon } })
  const { code, out, notes } = await operate(world, {
    command: 'channels add',
    options: { kind: 'email', address: `${account}@example.com`, account, ...more },
  })
  assert.equal(code, 0, notes)
  return out.trim()
}

const send = (wayId: string) => notifyChannel(world.store.db, world.notifications, wayId, patient)

async function deliveries(account: string) {
  const { out } = await operate(world, { command: 'watches deliveries', options: { account, json: true } })
  return JSON.parse(out) as { deliveryId: string; state: string; attempts: number; lastError: string | null }[]
}

/** Moves what an account was told of, and where its digests stand, days into the past; and lets retries come. */
const daysLater = (wayId: string, days: number) =>
  sql`
    with events as (
      update watch_events e set recorded_at = recorded_at - make_interval(days => ${days})
      from watch_ways w where w.way_id = ${wayId}::uuid and e.account_id = w.account_id
    ), deliveries as (
      update watch_deliveries set since = since - make_interval(days => ${days}) where way_id = ${wayId}::uuid
    )
    update watch_ways set told_until = told_until - make_interval(days => ${days}), retry_at = retry_at - interval '7 hours',
      digest_since = digest_since - make_interval(days => ${days})
    where way_id = ${wayId}::uuid`.execute(world.store.db)

test('an event is mailed at once, in text and HTML, with its evidence, and once', async () => {
  const wayId = await mailed('at-once', 'de')
  await chart('de', new Date(), 4)
  await evaluateWatches(world.store.db)
  await send(wayId)
  await send(wayId)
  assert.equal(server.arrived.length, 1)
  const [mail] = server.arrived
  assert.deepEqual([mail?.from, mail?.to], ['rivals@r.example', 'at-once@example.com'])
  const title = 'Notes & <b>Co</b> entered the top 10: 40 to 4 in top-free of All apps (iphone, de)'
  assert.equal(mail?.headers.subject, title)
  assert.match(mail?.headers['message-id'] ?? '', /^<[0-9a-f]{40}@r\.example>$/)
  assert.equal(mail?.headers['auto-submitted'], 'auto-generated')
  const { 'text/plain': text = '', 'text/html': html = '' } = mail?.parts ?? {}
  assert.ok(text.includes(`- ${title}\r\n  Observed `), text)
  assert.ok(text.includes('https://r.example/apps/71/ranks?country=de&categoryId=36&device=iphone'))
  assert.ok(html.includes('Notes &amp; &lt;b&gt;Co&lt;/b&gt; entered the top 10'))
  assert.ok(
    html.includes('href="https://r.example/apps/71/ranks?country=de&amp;categoryId=36&amp;device=iphone"'),
  )
  assert.doesNotMatch(html, /<img|<script|<link|url\(|<b>/)
  assert.match(html, /width=device-width/)
})

test('a daily digest tells of its day on the morning after, and of what was not measured', async () => {
  const wayId = await mailed('daily', 'fr', { digest: 'daily' })
  await chart('fr', new Date(), 4)
  await operate(world, {
    command: 'watches add',
    options: { kind: 'listing', app: '71', country: 'fr', account: 'daily' },
  })
  await recordFailure(world.store.db, 'itunes-lookup', 'fr', {
    at: new Date(),
    kind: 'refused',
    message: 'it answers 403',
  })
  await evaluateWatches(world.store.db)
  await send(wayId)
  assert.equal(server.arrived.length, 0, 'the day has not ended')
  await daysLater(wayId, 1)
  await send(wayId)
  await send(wayId)
  assert.equal(server.arrived.length, 1)
  const [mail] = server.arrived
  assert.match(mail?.headers.subject ?? '', /^Rivalscope: 1 event on \d+ \w{3} \d{4}, 3 not measured$/)
  const text = mail?.parts['text/plain'] ?? ''
  assert.match(text, /NOTES & <B>CO<\/B>\r\n\r\nTop places\r\n- Notes .* entered the top 10/)
  const [, missing = ''] = text.split('NOT MEASURED\r\n')
  assert.match(missing, /- top-free of All apps \(iphone, fr\): not collected\r\n/)
  assert.match(missing, /- Listing of Notes & <b>Co<\/b> \(France\): not collected\r\n/)
  assert.match(missing, /- Source itunes-lookup \(fr\): fails: it answers 403\r\n {2}Since /)
  assert.deepEqual(
    (await deliveries('daily')).map(({ state }) => state),
    ['delivered'],
  )
})

test('a digest without an event is sent where something was not measured, and not where all was', async () => {
  const measured = await mailed('measured', 'it', { digest: 'daily' })
  const missing = await mailed('missing', 'pt', { digest: 'daily' })
  await chart('it', new Date(Date.now() - 24 * hour), 40)
  for (const wayId of [measured, missing]) {
    await daysLater(wayId, 1)
    await send(wayId)
    await send(wayId)
  }
  assert.deepEqual(
    server.arrived.map(({ to }) => to),
    ['missing@example.com'],
  )
  assert.match(server.arrived[0]?.headers.subject ?? '', /^Rivalscope: No events .*, 1 not measured$/)
})

test('keywords without a page that counts are not measured', async () => {
  const wayId = await mailed('words', 'nl', { digest: 'daily' })
  await storeTracked(world, {
    storeId: '71',
    country: 'nl',
    role: 'rival',
    account: 'words',
    keywords: ['notes'],
  })
  await operate(world, {
    command: 'watches add',
    options: { kind: 'moved', in: 'keywords', country: 'nl', account: 'words' },
  })
  await daysLater(wayId, 1)
  await send(wayId)
  assert.match(
    server.arrived[0]?.parts['text/plain'] ?? '',
    /- Search results for "notes" \(Netherlands\): no valid results collected/,
  )
})

test('a server that refuses for a while gets the same message later, with nothing lost or told twice', async () => {
  const wayId = await mailed('patience', 'es')
  await chart('es', new Date(), 4)
  await evaluateWatches(world.store.db)
  server.answers((command) => (command === 'end of data' ? '451 4.3.0 Come back\tlater' : undefined))
  await send(wayId)
  const [failed] = await deliveries('patience')
  assert.deepEqual(
    [failed?.state, failed?.lastError],
    ['pending', 'The mail server refused the message: 451 4.3.0 Come back later'],
  )
  await send(wayId)
  assert.equal(server.commands.filter((command) => command === 'DATA').length, 1, 'it waits')
  server.answers(() => undefined)
  await chart('es', new Date(Date.now() + hour), 30)
  await evaluateWatches(world.store.db)
  await daysLater(wayId, 0)
  await send(wayId)
  const subjects = server.arrived.map(({ headers }) => headers.subject ?? '')
  assert.deepEqual(
    subjects.map((subject) => /entered|left/.exec(subject)?.[0]),
    ['entered', 'left'],
    'what was attempted is a message of its own again',
  )
  assert.equal(new Set(server.arrived.map(({ headers }) => headers['message-id'])).size, 2)
})

test('a recipient that is refused is a dead letter with the words of the server, and is sent again by command', async () => {
  const wayId = await mailed('nobody', 'se', { digest: 'daily' })
  await chart('se', new Date(), 4)
  await evaluateWatches(world.store.db)
  await daysLater(wayId, 1)
  server.answers((command) => (command.startsWith('RCPT') ? '550 5.1.1 No such user here' : undefined))
  await send(wayId)
  const [dead] = await deliveries('nobody')
  assert.deepEqual(
    [dead?.state, dead?.lastError],
    ['dead', 'The mail server refused the recipient: 550 5.1.1 No such user here'],
  )
  server.answers(() => undefined)
  await operate(world, { command: 'watches resend', options: { account: 'nobody' } })
  await send(wayId)
  assert.equal(server.arrived.length, 1)
  assert.equal((await deliveries('nobody'))[0]?.state, 'delivered')
})

test('what a process sent and was killed before it noted comes again as the same message', async () => {
  const wayId = await mailed('killed', 'dk')
  await chart('dk', new Date(), 4)
  await evaluateWatches(world.store.db)
  await send(wayId)
  await sql`update watch_deliveries set state = 'pending', settled_at = null where way_id = ${wayId}::uuid`.execute(
    world.store.db,
  )
  await chart('dk', new Date(Date.now() + hour), 30)
  await evaluateWatches(world.store.db)
  await send(wayId)
  const told = server.arrived.map(({ headers }) => `${headers['message-id']} ${headers.subject}`)
  assert.equal(told.length, 3)
  assert.equal(told[1], told[0])
  assert.match(told[2] ?? '', /left the top 10/)
})

test('a server that is not there, refuses the login or has no TLS for a password is named so, without the password', async () => {
  await mailed('login', 'be')
  const login = { user: 'me', pass: 'hunter2' }
  const tried = async (change: object, allowPrivateAddresses = true) => {
    const { notifications } = world
    assert.ok(typeof notifications.mail === 'object')
    const mail = { ...notifications.mail, server: { ...notifications.mail.server, ...change } }
    const settings = { ...notifications.settings, allowPrivateAddresses }
    const { code, out } = await operate(
      { ...world, notifications: { ...notifications, mail, settings } },
      { command: 'watches test', options: { account: 'login' } },
    )
    assert.equal(code, 1)
    assert.doesNotMatch(out, /hunter2/)
    return out
  }
  assert.match(await tried({ port: 1 }), /The mail server cannot be reached \(ESOCKET\)/)
  server.answers((command) => (command.startsWith('AUTH') ? '535 5.7.8 Not you' : undefined))
  assert.match(await tried({ login }), /The mail server refused the login: 535 5\.7\.8 Not you/)
  server.commands.length = 0
  assert.match(await tried({ login }, false), /The mail server refused TLS: 502 5\.5\.1 No TLS here/)
  assert.ok(!server.commands.some((command) => command.startsWith('AUTH')))
})

test('two that send at once send a digest once, and quiet hours keep it', async () => {
  const wayId = await mailed('two', 'at', { digest: 'weekly' })
  await chart('at', new Date(), 4)
  await evaluateWatches(world.store.db)
  await daysLater(wayId, 7)
  const times = (quiet?: string) =>
    operate(world, {
      command: 'watches times',
      options: { account: 'two', timeZone: atNoon, ...(quiet ? { quiet } : {}) },
    })
  await times('11:00-14:00')
  await send(wayId)
  assert.equal(server.arrived.length, 0)
  await times()
  await Promise.all([1, 2, 3].map(() => send(wayId)))
  assert.equal(server.arrived.length, 1)
  assert.match(server.arrived[0]?.headers.subject ?? '', /1 event from \d+ \w{3} \d{4} to \d+ \w{3} \d{4}/)
})

test('the schedule sends a digest that is due', async () => {
  await using working = await openWorld({
    works: true,
    watches: { mailFrom: 'rivals@r.example', publicUrl: 'https://r.example' },
    environment: { RIVALSCOPE_SMTP_URL: server.address },
  })
  const calls = [
    { command: 'watches times', options: { account: 'default', timeZone: atNoon } },
    { command: 'watches add', options: { kind: 'top', country: 'us' } },
    { command: 'channels add', options: { kind: 'email', address: 'me@example.com', digest: 'daily' } },
  ] as const
  for (const call of calls) assert.equal((await operate(working, call)).code, 0)
  await sql`update watch_ways set told_until = told_until - interval '1 day'`.execute(working.store.db)
  await lookAtSchedule(working)
  await until(
    async () => server.arrived,
    (arrived) => arrived.length > 0,
  )
  assert.match(server.arrived[0]?.parts['text/plain'] ?? '', /- Charts, United States: not collected yet/)
})

test('digests end with the day or the week of the account, and are due at seven, whatever the clock does', () => {
  const channel = {
    digest: 'daily' as const,
    notifiedUntil: new Date('2026-03-28T23:00:00Z'),
    digestUntil: null,
    hasLate: false,
    timeZone: 'Europe/Berlin',
  }
  // The day on which summer time begins has 23 hours.
  const due = (at: string, more: object = {}) => dueDigestSpan({ ...channel, ...more }, new Date(at))
  assert.equal(due('2026-03-30T04:59:00Z'), undefined)
  const day = due('2026-03-30T05:00:00Z')
  assert.deepEqual(
    [day?.from, day?.until],
    [new Date('2026-03-28T23:00:00Z'), new Date('2026-03-29T22:00:00Z')],
  )
  assert.equal(due('2026-03-30T05:00:00Z', { notifiedUntil: day?.until }), undefined)
  const week = due('2026-04-01T12:00:00Z', { digest: 'weekly' })
  assert.deepEqual(
    [week?.from, week?.until],
    [new Date('2026-03-22T23:00:00Z'), new Date('2026-03-29T22:00:00Z')],
  )
  assert.deepEqual(
    due('2026-04-01T12:00:00Z', { digestUntil: new Date('2026-03-29T22:00:00Z') })?.until,
    new Date('2026-03-29T22:00:00Z'),
    'what was attempted stays the same',
  )
})

test('mail that cannot be is refused by the name of what is missing or wrong, without the secret', async () => {
  await world.key([], 'refused')
  const refused = async (
    options: Omit<InputOf<'channels add'>, 'account'>,
    notifications = world.notifications,
  ) => {
    const { code, notes } = await operate(
      { ...world, notifications },
      { command: 'channels add', options: { ...options, account: 'refused' } },
    )
    assert.equal(code, 1)
    return notes
  }
  assert.match(await refused({ kind: 'email' }), /The address of the mail is missing/)
  assert.match(
    await refused({ kind: 'email', address: 'a@b.example\r\nBcc: c@d.example' }),
    /is no address such as/,
  )
  assert.match(await refused({ kind: 'feed', digest: 'daily' }), /--digest belongs to e-mail/)
  const without = { ...world.notifications, mail: 'Email is not set up: RIVALSCOPE_SMTP_URL is missing.' }
  assert.match(
    await refused({ kind: 'email', address: 'a@b.example' }, without),
    /RIVALSCOPE_SMTP_URL is missing/,
  )
  for (const address of [
    'http://me:hunter2@mail.example',
    'smtp://me:hunter2@mail.example/?secure=no',
    'smtp://hunter2@m',
  ])
    await assert.rejects(
      () => readConfiguration(undefined, { RIVALSCOPE_SMTP_URL: address }),
      (error: Error) => /^RIVALSCOPE_SMTP_URL /.test(error.message) && !error.message.includes('hunter2'),
    )
  await assert.rejects(
    () => readConfiguration(undefined, { RIVALSCOPE_MAIL_FROM: 'me' }),
    /RIVALSCOPE_MAIL_FROM/,
  )
})
