import type { Readable } from 'node:stream'
import type { ServiceConfig } from './app.ts'
import type { CommandContext } from './cli/command-context.ts'
import { collectingOn } from './jobs/collecting/collecting.ts'
import { type CommandCall, type CommandName, operatorCommands, perform } from './operator/commands.ts'
import type { Terminal } from './operator/terminal.ts'
import { openMediaStore } from './storage/open-media-store.ts'
import { openStore } from './storage/open-store.ts'

/** Performs a command of the operator on the store, beside whoever else has it open. */
export async function operate<Name extends CommandName>(
  {
    location,
    configuration,
    mediaDirectory,
  }: Pick<ServiceConfig, 'location' | 'configuration' | 'mediaDirectory'>,
  call: CommandCall<Name>,
  terminal: Terminal,
  stdin: Readable | undefined,
  { env, directory, signal, lowerPriority }: CommandContext,
): Promise<0 | 1> {
  const { needsStore, givesWay } = operatorCommands[call.command]
  if (givesWay) lowerPriority()
  await using store = await openStore(location, `rivalscope ${call.command}`, {
    givesWay,
    mustExist: needsStore,
  })
  const collecting = collectingOn(store.db, configuration)
  const media = openMediaStore(configuration.media.store, mediaDirectory, env)
  return await perform({ store, db: store.db, collecting, media, terminal, stdin, directory, signal }, call)
}
