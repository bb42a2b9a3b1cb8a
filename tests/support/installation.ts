import { join } from 'node:path'
import { openStore, type Store, type StoreLocation } from '../../src/storage/store.ts'
import { makeDatabase, makeDataDirectory } from '../../src/storage/testing.ts'
import { openFolder } from './files.ts'

/** A store of its own that commands are run on, and a folder for their files. */
export interface Installation extends AsyncDisposable {
  folder: string
  /** Where the store is, as options of a command. */
  location: string[]
  /** Where the store is, as code opens it. */
  store: StoreLocation
  /** The address of the database, on PostgreSQL. */
  databaseUrl?: string
  /** Writes a configuration and answers its path. */
  configure(configuration: object, name?: string): string
  /** Opens the store; an embedded one only while no command holds it. */
  open(): Promise<Store>
}

/** Set to run the tests on PostgreSQL. */
export const testDatabaseUrl = process.env.RIVALSCOPE_TEST_DATABASE_URL

/** An installation without anything in it, on the engine under test. */
export async function openInstallation(): Promise<Installation> {
  await using parts = new AsyncDisposableStack()
  const folder = parts.use(openFolder())
  const databaseUrl = testDatabaseUrl && parts.use(await makeDatabase(testDatabaseUrl)).url
  const dataDir = join(folder.path, 'store')
  if (!databaseUrl) await makeDataDirectory(dataDir)
  const store = databaseUrl ? { databaseUrl } : { dataDir }
  const opened = parts.move()
  return {
    folder: folder.path,
    location: databaseUrl ? ['--database-url', databaseUrl] : ['--data-dir', dataDir],
    ...(databaseUrl ? { databaseUrl } : {}),
    configure: (configuration, name = 'rivalscope.json') => folder.write(name, JSON.stringify(configuration)),
    store,
    open: () => openStore(store, 'test'),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
