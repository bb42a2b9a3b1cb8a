import { setTimeout } from 'node:timers/promises'
import { keepAsking, tellOutcomes } from './cluster-traffic.ts'
import { serveStore } from './service.ts'
const databaseUrl = 'postgres://postgres@127.0.0.1:21100/cit16'
await using service = await serveStore({ databaseUrl })
const ids = (process.argv[3] ?? '').split(',')
const reads = {
  app: (i: number) => `/v1/competitors/ios/${ids[i % ids.length]}?country=us`,
  ranks: (i: number) => `/v1/charts/apps/${ids[i % ids.length]}/history?country=us&from=2026-02-01&to=2026-03-1${i % 9}`,
  search: (i: number) => `/v1/competitors?country=us&q=${['chat', 'photo', 'game', 'music', 'bank', 'ai'][i % 6]}&limit=${1 + (i % 90)}`,
}
const stop = keepAsking(service, databaseUrl, '/tmp', reads)
await setTimeout(Number(process.argv[2]) * 1000)
tellOutcomes(`${process.argv[2]} s`, await stop())
