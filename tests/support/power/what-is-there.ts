import { runProcess } from '../command-line.ts'
import type { Acknowledged, Raised } from './acknowledged.ts'
import type { Ask } from './amcheck.ts'
import { appRange, appsEach, capturedAt, chartsEach, placesEach } from './given-files.ts'
import { askForRecord, type Call } from './service-client.ts'

export interface Recovered {
  call: Call
  ask: Ask
  /** The location of the store, as options of a command. */
  location: readonly string[]
  /** Where commands leave their files. */
  folder: string
}

/**
 * Compares the data of a service with what was acknowledged to its clients, and returns the differences. Unanswered writes
 * are looked up, or repeated where the protocol says so; they then count as acknowledged.
 */
export async function compare(reported: Acknowledged, recovered: Recovered): Promise<string[]> {
  return [
    ...(await wrongRequests(reported, recovered)),
    ...(await wrongKeyed(reported, recovered)),
    ...(await wrongTracked(reported, recovered)),
    ...(await wrongNotes(reported, recovered)),
    ...(await wrongImports(reported, recovered)),
  ]
}

async function wrongRequests(reported: Acknowledged, { ask }: Recovered): Promise<string[]> {
  return wrongCounts('asked for', reported.requests, await demands(ask))
}

async function wrongNotes(reported: Acknowledged, { ask }: Recovered): Promise<string[]> {
  const notes = await ask<{ name: string; note: string }>('select post_id as name, note from saved_posts')
  return wrongCounts('noted at', reported.notes, new Map(notes.map(({ name, note }) => [name, Number(note)])))
}

function wrongCounts(what: string, counts: Map<string, Raised>, found: Map<string, number>): string[] {
  const wrong: string[] = []
  for (const [name, count] of counts) {
    const there = found.get(name) ?? 0
    if (there < count.reported || there > count.sent)
      wrong.push(`${what} ${name}: ${there}, acknowledged ${count.reported} of ${count.sent}`)
    count.reported = count.sent = there
  }
  return wrong
}

/** Every write with a key took effect once, however often it was sent. */
async function wrongKeyed(reported: Acknowledged, { call, ask }: Recovered): Promise<string[]> {
  const wrong: string[] = []
  const replayed = [...reported.keyed].slice(-20)
  const unanswered = [...reported.keyed].filter(([, { answered }]) => !answered)
  for (const [key, write] of new Map([...unanswered, ...replayed])) {
    const { status, body } = await askForRecord(call, write.storeId, key)
    if (status < 300) write.answered = true
    else wrong.push(`sent again for ${write.storeId}: ${status} ${body?.code}`)
  }
  const wanted = Map.groupBy(reported.keyed.values(), ({ storeId }) => storeId)
  const found = await demands(ask)
  for (const [storeId, writes] of wanted) {
    const there = found.get(storeId) ?? 0
    if (there === writes.length || reported.miscounted.has(storeId)) continue
    wrong.push(`asked with a key for ${storeId}: ${there} instead of ${writes.length}`)
    reported.miscounted.add(storeId)
  }
  return wrong
}

async function demands(ask: Ask): Promise<Map<string, number>> {
  const found = await ask<{ name: string; demand: number }>(
    `select store_id as name, sum(demand)::int as demand from data_requests where kind = 'record' group by 1`,
  )
  return new Map(found.map(({ name, demand }) => [name, demand]))
}

/** Every tracked app is listed once, under the acknowledged id. */
async function wrongTracked({ tracked }: Acknowledged, { call }: Recovered): Promise<string[]> {
  const wrong: string[] = []
  const listed = new Map<string, string[]>()
  let cursor: string | null = null
  do {
    const { status, body } = await call('GET', `/v1/aso/apps?limit=100${cursor ? `&cursor=${cursor}` : ''}`)
    if (status !== 200) return [`the list of tracked apps: ${status} ${body?.code}`]
    for (const { appId, app } of body.items)
      listed.set(app.storeId, [...(listed.get(app.storeId) ?? []), appId])
    cursor = body.nextCursor
  } while (cursor)
  for (const [storeId, appId] of tracked) {
    const ids = listed.get(storeId) ?? []
    if (appId === undefined ? ids.length > 1 : ids.join() !== appId)
      wrong.push(`tracked ${storeId}: ${ids.join(' and ') || 'not there'}, acknowledged ${appId}`)
    if (ids[0]) tracked.set(storeId, ids[0])
    else tracked.delete(storeId)
  }
  const unasked = [...listed.keys()].filter((storeId) => !tracked.has(storeId))
  return [...wrong, ...unasked.map((storeId) => `tracked ${storeId}: nobody asked`)]
}

/** Every import that ended is complete; an interrupted one is complete once it is run again. */
async function wrongImports({ imports }: Acknowledged, recovered: Recovered): Promise<string[]> {
  const wrong: string[] = []
  for (const given of imports.filter(({ done }) => !done)) {
    const words = ['import', ...given.arguments, ...recovered.location]
    const { code, err } = await runProcess(words, { cwd: recovered.folder })
    if (code !== 0) wrong.push(`import ${given.number} run again: ${code} ${err}`)
    given.done = true
  }
  const { ask } = recovered
  for (const { number } of imports.filter(({ kind }) => kind === 'catalogue')) {
    const [first, last] = appRange(number)
    const [found] = await ask<{ records: number; searchable: number }>(`
      select count(*)::int as records,
        count(*) filter (where store_id in (select store_id from app_search))::int as searchable
      from app_records where store_id between ${first} and ${last}`)
    if (found?.records !== appsEach || found.searchable !== appsEach)
      wrong.push(`import ${number}: ${found?.records} apps, ${found?.searchable} of them found by search`)
  }
  const snapshots = await ask<{ at: string; places: number; ranks: number }>(`
    select to_char(captured_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
      cardinality(store_ids) as places,
      (select count(*)::int from chart_ranks r where r.chart_id = s.chart_id and r.captured_at = s.captured_at) as ranks
    from chart_snapshots s`)
  const at = Map.groupBy(snapshots, (snapshot) => snapshot.at)
  for (const { number } of imports.filter(({ kind }) => kind === 'charts')) {
    for (let chart = 0; chart < chartsEach; chart++) {
      const found = at.get(capturedAt(number, chart)) ?? []
      const [one] = found
      if (found.length !== 1 || one?.places !== placesEach || one.ranks !== placesEach)
        wrong.push(`import ${number}, chart ${chart}: ${JSON.stringify(found)}`)
    }
  }
  return wrong
}
