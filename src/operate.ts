import type { Readable } from 'node:stream'
import type { ServiceConfig } from './app.ts'
import type { CommandContext } from './cli/command-context.ts'
import { collectingOn } from './jobs/collecting/collecting.ts'
import { type CommandName, type Order, perform } from './operator/commands.ts'
import type { Terminal } from './operator/terminal.ts'
import { openMediaStore } from './storage/open-media-store.ts'
import { openStore } from './storage/open-store.ts'

/** What works on much, and may wait for whoever reads. */
const longCommands = new Set<CommandName>([
  'import',
  'import saved',
  'export',
  'export charts',
  'export kept',
  'replay',
])

/** What only looks at a store, or changes what is in it: where there is none, a path was mistyped. */
const needsStore = new Set<CommandName>([
  'sources',
  'import saved',
  'export',
  'export charts',
  'export kept',
  'replay',
  'calibrate',
  'keys list',
  'keys revoke',
  'requests list',
  'requests dismiss',
  'posts link',
  'posts unlink',
  'posts withdraw',
  'posts decisions',
  'handles declare',
  'handles remove',
  'handles list',
])

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
  { env, directory, signal, lowerPriority }: CommandContext,
): Promise<0 | 1> {
  const givesWay = longCommands.has(order.command)
  if (givesWay) lowerPriority()
  await using store = await openStore(location, `rivalscope ${order.command}`, {
    givesWay,
    mustExist: needsStore.has(order.command),
  })
  const collecting = collectingOn(store.db, configuration)
  const media = openMediaStore(configuration.media.store, mediaDirectory, env)
  return await perform({ store, db: store.db, collecting, media, terminal, stdin, directory, signal }, order)
}
