import type { Bench, Command } from './command.ts'

/** The operator's commands that need the store. Each is loaded when it is run: all together take longer than most of them. */
const commands = {
  'collect charts': async () => (await import('./collect-command.ts')).collectChartsCommand,
  'collect apps': async () => (await import('./collect-command.ts')).collectAppsCommand,
  'collect pages': async () => (await import('./collect-command.ts')).collectPagesCommand,
  'collect searches': async () => (await import('./collect-command.ts')).collectSearchesCommand,
  'collect hints': async () => (await import('./collect-command.ts')).collectHintsCommand,
  sources: async () => (await import('./sources-command.ts')).sourcesCommand,
  import: async () => (await import('./import-command.ts')).importCommand,
  'import saved': async () => (await import('./import-saved-command.ts')).importSavedCommand,
  export: async () => (await import('./export-command.ts')).exportCommand,
  'export charts': async () => (await import('./export-lines-command.ts')).exportChartsCommand,
  'export kept': async () => (await import('./export-lines-command.ts')).exportKeptCommand,
  replay: async () => (await import('./replay-command.ts')).replayCommand,
  calibrate: async () => (await import('./calibrate-command.ts')).calibrateCommand,
  'keys create': async () => (await import('./key-commands.ts')).createKeyCommand,
  'keys list': async () => (await import('./key-commands.ts')).listKeysCommand,
  'keys revoke': async () => (await import('./key-commands.ts')).revokeKeyCommand,
  'requests list': async () => (await import('./request-commands.ts')).listRequestsCommand,
  'evidence list': async () => (await import('./evidence-commands.ts')).listEvidenceCommand,
  'evidence withdraw': async () => (await import('./evidence-commands.ts')).withdrawEvidenceCommand,
  'posts link': async () => (await import('./post-commands.ts')).linkPostsCommand,
  'posts unlink': async () => (await import('./post-commands.ts')).unlinkPostsCommand,
  'posts withdraw': async () => (await import('./post-commands.ts')).withdrawPostsCommand,
  'posts decisions': async () => (await import('./post-commands.ts')).listPostDecisionsCommand,
  'handles declare': async () => (await import('./handle-commands.ts')).declareHandleCommand,
  'handles remove': async () => (await import('./handle-commands.ts')).removeHandleCommand,
  'handles list': async () => (await import('./handle-commands.ts')).listHandlesCommand,
  'requests dismiss': async () => (await import('./request-commands.ts')).dismissRequestCommand,
}

export type CommandName = keyof typeof commands
export type OptionsOf<Name extends CommandName> = Parameters<Awaited<ReturnType<(typeof commands)[Name]>>>[1]

/** A command with its options. */
export interface Order<Name extends CommandName = CommandName> {
  command: Name
  options: OptionsOf<Name>
}

export async function perform(bench: Bench, { command, options }: Order): Promise<0 | 1> {
  const run = (await commands[command]()) as Command<unknown>
  return run(bench, options)
}
