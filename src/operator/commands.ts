import type { Bench, Command } from './command.ts'

/** One command of the operator. Nothing has a usual value: who adds a row says each of them. */
export interface CommandRow<Options> {
  /** It only looks at a store, or changes what is in it: where there is none, a path was mistyped. */
  needsStore: boolean
  /** It works on much, and lets whoever reads go first. */
  givesWay: boolean
  /** Loaded when it is run: all together take longer than most of them. */
  perform: () => Promise<Command<Options>>
}

const rows = {
  'collect charts': {
    needsStore: false,
    givesWay: false,
    perform: async () => (await import('./collect-command.ts')).collectChartsCommand,
  },
  'collect apps': {
    needsStore: false,
    givesWay: false,
    perform: async () => (await import('./collect-command.ts')).collectAppsCommand,
  },
  'collect pages': {
    needsStore: false,
    givesWay: false,
    perform: async () => (await import('./collect-command.ts')).collectPagesCommand,
  },
  'collect searches': {
    needsStore: false,
    givesWay: false,
    perform: async () => (await import('./collect-command.ts')).collectSearchesCommand,
  },
  'collect hints': {
    needsStore: false,
    givesWay: false,
    perform: async () => (await import('./collect-command.ts')).collectHintsCommand,
  },
  sources: {
    needsStore: true,
    givesWay: false,
    perform: async () => (await import('./sources-command.ts')).sourcesCommand,
  },
  import: {
    needsStore: false,
    givesWay: true,
    perform: async () => (await import('./import-command.ts')).importCommand,
  },
  'import saved': {
    needsStore: true,
    givesWay: true,
    perform: async () => (await import('./import-saved-command.ts')).importSavedCommand,
  },
  export: {
    needsStore: true,
    givesWay: true,
    perform: async () => (await import('./export-command.ts')).exportCommand,
  },
  'export charts': {
    needsStore: true,
    givesWay: true,
    perform: async () => (await import('./export-lines-command.ts')).exportChartsCommand,
  },
  'export kept': {
    needsStore: true,
    givesWay: true,
    perform: async () => (await import('./export-lines-command.ts')).exportKeptCommand,
  },
  replay: {
    needsStore: true,
    givesWay: true,
    perform: async () => (await import('./replay-command.ts')).replayCommand,
  },
  calibrate: {
    needsStore: true,
    givesWay: false,
    perform: async () => (await import('./calibrate-command.ts')).calibrateCommand,
  },
  'keys create': {
    needsStore: false,
    givesWay: false,
    perform: async () => (await import('./key-commands.ts')).createKeyCommand,
  },
  'keys list': {
    needsStore: true,
    givesWay: false,
    perform: async () => (await import('./key-commands.ts')).listKeysCommand,
  },
  'keys revoke': {
    needsStore: true,
    givesWay: false,
    perform: async () => (await import('./key-commands.ts')).revokeKeyCommand,
  },
  'requests list': {
    needsStore: true,
    givesWay: false,
    perform: async () => (await import('./request-commands.ts')).listRequestsCommand,
  },
  'evidence list': {
    needsStore: true,
    givesWay: false,
    perform: async () => (await import('./evidence-commands.ts')).listEvidenceCommand,
  },
  'evidence withdraw': {
    needsStore: true,
    givesWay: false,
    perform: async () => (await import('./evidence-commands.ts')).withdrawEvidenceCommand,
  },
  'posts link': {
    needsStore: true,
    givesWay: false,
    perform: async () => (await import('./post-commands.ts')).linkPostsCommand,
  },
  'posts unlink': {
    needsStore: true,
    givesWay: false,
    perform: async () => (await import('./post-commands.ts')).unlinkPostsCommand,
  },
  'posts withdraw': {
    needsStore: true,
    givesWay: false,
    perform: async () => (await import('./post-commands.ts')).withdrawPostsCommand,
  },
  'posts decisions': {
    needsStore: true,
    givesWay: false,
    perform: async () => (await import('./post-commands.ts')).listPostDecisionsCommand,
  },
  'handles declare': {
    needsStore: true,
    givesWay: false,
    perform: async () => (await import('./handle-commands.ts')).declareHandleCommand,
  },
  'handles remove': {
    needsStore: true,
    givesWay: false,
    perform: async () => (await import('./handle-commands.ts')).removeHandleCommand,
  },
  'handles list': {
    needsStore: true,
    givesWay: false,
    perform: async () => (await import('./handle-commands.ts')).listHandlesCommand,
  },
  'requests dismiss': {
    needsStore: true,
    givesWay: false,
    perform: async () => (await import('./request-commands.ts')).dismissRequestCommand,
  },
} satisfies Record<string, CommandRow<never>>

export type CommandName = keyof typeof rows
export type OptionsOf<Name extends CommandName> = Parameters<
  Awaited<ReturnType<(typeof rows)[Name]['perform']>>
>[1]

/** All commands of the operator that use the store, by name. What is true of one of them stands in its row. */
export const operatorCommands: { [Name in CommandName]: CommandRow<OptionsOf<Name>> } = rows

/** A command with its options. */
export type CommandCall<Name extends CommandName = CommandName> = {
  [One in Name]: { command: One; options: OptionsOf<One> }
}[Name]

export async function perform<Name extends CommandName>(
  bench: Bench,
  { command, options }: CommandCall<Name>,
): Promise<0 | 1> {
  const run = await operatorCommands[command].perform()
  return run(bench, options)
}
