import { openStore, type StoreLocation } from '../../src/storage/open-store.ts'
import type { Store } from '../../src/storage/store.ts'
import { makeDatabase, openTestServer } from '../../src/storage/testing.ts'
import { openFolder } from './files.ts'

/** A store for commands, and a folder for their files. */
export interface Installation extends AsyncDisposable {
  folder: string
  /** The location of the store, as options of a command. */
  location: string[]
  /** The location of the store, for code. */
  store: StoreLocation
  /** The address of its database. */
  databaseUrl: string
  /** Writes a configuration and returns its path. */
  configure(configuration: object, name?: string): string
  /** Opens the store, besides any command that has it open. */
  open(): Promise<Store>
}

/** An empty installation. */
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
