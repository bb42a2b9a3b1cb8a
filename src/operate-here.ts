import type { Readable } from 'node:stream'
import type { ServiceConfig } from './app.ts'
import { collectingOn } from './jobs/collecting/collecting.ts'
import { perform } from './operator/commands.ts'
import type { Sent } from './operator/send-order.ts'
import type { Terminal } from './operator/terminal.ts'
import { openMediaStore } from './storage/open-media-store.ts'
import { openStore, type StoreLocation } from './storage/store.ts'

/** Performs a command of the operator on a store that this process opens for it. @throws StoreHeldError */
export async function operateHere(
  location: StoreLocation,
  { configuration, mediaDirectory }: Pick<ServiceConfig, 'configuration' | 'mediaDirectory'>,
  order: Sent,
  terminal: Terminal,
  stdin: Readable | undefined,
  signal: AbortSignal,
): Promise<0 | 1> {
  await using store = await openStore(location, `rivalscope ${order.command}`)
  const collecting = collectingOn(store.db, configuration)
  const media = openMediaStore(configuration.media.store, mediaDirectory, process.env)
  const { directory } = order
  return await perform({ store, db: store.db, collecting, media, terminal, stdin, directory, signal }, order)
}
