import { StoredRateLimiter } from '../../domain/collecting/rate-limiter.ts'
import type { SourcesSettings } from '../../sources/settings.ts'
import type { Database } from '../../storage/database.ts'
import { type AdLibraries, adLibraries } from '../../suppliers/ad-libraries.ts'
import type { AdTokens } from '../../suppliers/ad-library.ts'
import { appleClients } from '../../suppliers/apple/clients.ts'
import { CurrentSchedule } from '../current-schedule.ts'
import type { Schedule } from '../schedule.ts'
import { Collector } from './collector.ts'
import { IngestBatcher } from './ingest-batcher.ts'

/** The clients of all upstreams, and their settings. */
export interface CollectingClients {
  collector: Collector
  /** Ad libraries that the operator has a credential for. */
  adLibraries: AdLibraries
  sources: SourcesSettings
  /** That of the configuration file. */
  schedule: Schedule
  /** The one that is followed. */
  current: CurrentSchedule
}

/** Opens the collecting into a store. One per process, so that answers that arrive together are stored together. */
export function collectingOn(
  db: Database,
  {
    sources,
    schedule,
    adTokens = {},
    web,
  }: {
    sources: SourcesSettings
    schedule: Schedule
    adTokens?: AdTokens
    web?: { operators: readonly string[] }
  },
): CollectingClients {
  const rateLimiter = new StoredRateLimiter(db)
  const clients = appleClients(sources, rateLimiter)
  return {
    collector: new Collector({ db, clients, batcher: new IngestBatcher(db) }),
    adLibraries: adLibraries(sources, adTokens, rateLimiter),
    sources,
    schedule,
    current: new CurrentSchedule(db, schedule, (web?.operators.length ?? 0) > 0),
  }
}
