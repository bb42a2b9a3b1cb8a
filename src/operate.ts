import type { Readable } from 'node:stream'
import type { ServiceConfig } from './app.ts'
import { collectingOn } from './jobs/collecting/collecting.ts'
import { type Order, perform } from './operator/commands.ts'
import type { Terminal } from './operator/terminal.ts'
import { openMediaStore } from './storage/open-media-store.ts'
import { openStore } from './storage/store.ts'

/** Performs a command of the operator on the store, beside whoever else has it open. */
export async function operate(
  {
    location,
    configuration,
    mediaDirectory,
  }: Pick<ServiceConfig, 'location' | 'configuration' | 'mediaDirectory'>,
  order: Order,
  terminal: Terminal,
  stdin: Readable | undefined,
  signal: AbortSignal,
): Promise<0 | 1> {
  await using store = await openStore(location, `rivalscope ${order.command}`)
  const collecting = collectingOn(store.db, configuration)
  const media = openMediaStore(configuration.media.store, mediaDirectory, process.env)
  const directory = process.cwd()
  return await perform({ store, db: store.db, collecting, media, terminal, stdin, directory, signal }, order)
}
