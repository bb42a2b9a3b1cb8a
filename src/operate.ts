import type { ServiceConfig } from './app.ts'
import type { CommandContext } from './cli/command-context.ts'
import { collectingOn } from './jobs/collecting/collecting.ts'
import type { OperatorCommand } from './operator/command-row.ts'
import type { Terminal } from './operator/terminal.ts'
import { openMediaStore } from './storage/open-media-store.ts'
import { openStore } from './storage/open-store.ts'

/** A command by its row, and what it is called with: the row reads it. */
interface CommandCall {
  name: string
  row: OperatorCommand
  input: Record<string, unknown>
}

/** Performs a command of the operator on the store, beside whoever else has it open. */
export async function operate(
  {
    location,
    configuration,
    mediaDirectory,
  }: Pick<ServiceConfig, 'location' | 'configuration' | 'mediaDirectory'>,
  { name, row, input }: CommandCall,
  terminal: Terminal,
  { env, directory, signal, stdin, lowerPriority }: CommandContext,
): Promise<0 | 1> {
  const { needsStore, givesWay } = row
  if (givesWay) lowerPriority()
  await using store = await openStore(location, `rivalscope ${name}`, { givesWay, mustExist: needsStore })
  const collecting = collectingOn(store.db, configuration)
  const media = openMediaStore(configuration.media.store, mediaDirectory, env)
  const readsStdin = Array.isArray(input.files) && input.files.includes('-')
  const context = { store, db: store.db, collecting, media, terminal, directory, signal }
  return await row.run({ ...context, stdin: readsStdin ? stdin : undefined }, input)
}
