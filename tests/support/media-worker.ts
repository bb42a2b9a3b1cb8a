import { parseArgs } from 'node:util'
import { Media } from '../../src/configuration.ts'
import { adAnalysersOn } from '../../src/jobs/ad-analysis/analysers.ts'
import { collectingOn } from '../../src/jobs/collecting/collecting.ts'
import { mediaArchiveOn } from '../../src/jobs/media/media-archive.ts'
import { notificationsFrom, WatchSettings } from '../../src/jobs/notifications/settings.ts'
import { openQueue } from '../../src/jobs/open-queue.ts'
import { Schedule } from '../../src/jobs/schedule.ts'
import { startWorker } from '../../src/jobs/worker.ts'
import { Retention } from '../../src/projections/retention/policies.ts'
import { SpeechSettings } from '../../src/sources/openai/settings.ts'
import { Sources } from '../../src/sources/settings.ts'
import { MediaOnDisk } from '../../src/storage/media-on-disk.ts'
import { openStore, type StoreLocation } from '../../src/storage/open-store.ts'
import type { Store } from '../../src/storage/store.ts'
import { networkAt } from './media.ts'

/** Options of a worker whose media hosts and speech service are fakes of a test. */
export interface MediaWork {
  mediaDirectory: string
  /** The port of all hosts. */
  port: number
  /** The `speech` section. */
  speech?: object
}

/** Runs a worker on a store until it is disposed. Except for media and speech, no source can be reached. */
export async function workWithMedia(store: Store, work: MediaWork): Promise<AsyncDisposable> {
  await using parts = new AsyncDisposableStack()
  const queue = parts.use(
    await openQueue(store, true, (error) => void process.stderr.write(`${error.stack}\n`)),
  )
  const collecting = collectingOn(store.db, {
    sources: Sources.parse({}),
    schedule: Schedule.parse({}),
    adTokens: {},
  })
  const archive = mediaArchiveOn(new MediaOnDisk(work.mediaDirectory), Media.parse({}), networkAt(work.port))
  const analysers = adAnalysersOn(
    { speech: work.speech && SpeechSettings.parse(work.speech), model: undefined },
    {},
  )
  parts.use(
    await startWorker(
      {
        ...collecting,
        db: store.db,
        queue,
        archive,
        analysers,
        notifications: notificationsFrom(WatchSettings.parse({}), {}),
        retention: Retention.parse({}),
        importFile: () => Promise.reject(new Error('it works with media alone')),
      },
      0.5,
    ),
  )
  return parts.move()
}

/** A process of its own that can be killed: `media-worker.ts --store <location> --work <work>`, both as JSON. */
if (import.meta.main) {
  const { values } = parseArgs({ options: { store: { type: 'string' }, work: { type: 'string' } } })
  const store = await openStore(JSON.parse(values.store ?? '') as StoreLocation, 'test')
  await workWithMedia(store, JSON.parse(values.work ?? '') as MediaWork)
}
