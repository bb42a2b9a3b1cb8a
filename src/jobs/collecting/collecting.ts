import { StoredPace } from '../../domain/collecting/pace.ts'
import { appleClients } from '../../sources/apple/clients.ts'
import type { SourcesSettings } from '../../sources/settings.ts'
import type { Database } from '../../storage/database.ts'
import type { Schedule } from '../schedule.ts'
import { Collector } from './collector.ts'
import { Keeper } from './keeper.ts'

/** Everything that asks upstreams, and what it was told about how. */
export interface Collecting {
  collector: Collector
  sources: SourcesSettings
  schedule: Schedule
}

/** Collecting into a store. One for each process: answers that arrive together are stored together. */
export function collectingOn(
  db: Database,
  { sources, schedule }: { sources: SourcesSettings; schedule: Schedule },
): Collecting {
  const clients = appleClients(sources, new StoredPace(db))
  return { collector: new Collector({ db, clients, keeper: new Keeper(db) }), sources, schedule }
}
