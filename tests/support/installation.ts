import { openStore, type StoreLocation } from '../../src/storage/open-store.ts'
import type { Store } from '../../src/storage/store.ts'
import { makeDatabase, openTestServer } from '../../src/storage/testing.ts'
import { openFolder } from './files.ts'

/** A store of its own that commands are run on, and a folder for their files. */
export interface Installation extends AsyncDisposable {
  folder: string
  /** Where the store is, as options of a command. */
  location: string[]
  /** Where the store is, as code opens it. */
  store: StoreLocation
  /** The address of its database. */
  databaseUrl: string
  /** Writes a configuration and answers its path. */
  configure(configuration: object, name?: string): string
  /** Opens the store, beside whatever command has it open. */
  open(): Promise<Store>
}

/** An installation without anything in it. */
export async function openInstallation(): Promise<Installation> {
  await using parts = new AsyncDisposableStack()
  const folder = parts.use(openFolder())
  const server = parts.use(await openTestServer())
  const { url: databaseUrl } = parts.use(await makeDatabase(server.url))
  const store = { databaseUrl }
  const opened = parts.move()
  return {
    folder: folder.path,
    location: ['--database-url', databaseUrl, '--data-dir', folder.path],
    databaseUrl,
    configure: (configuration, name = 'rivalscope.json') => folder.write(name, JSON.stringify(configuration)),
    store,
    open: () => openStore(store, 'test'),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
