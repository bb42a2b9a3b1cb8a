import { workerData } from 'node:worker_threads'
import { openStore, type StoreLocation } from '../../src/storage/open-store.ts'
import { storeEvidence } from './evidence.ts'

/* A thread that stores the older evidence while the service answers: to read it takes the time of a page again and again. */
await using store = await openStore(workerData as StoreLocation, 'rivalscope demo, older days')
await storeEvidence(store.db, 'older', () => {})
