import type { Readable } from 'node:stream'
import type { Collecting } from '../jobs/collecting/collecting.ts'
import type { Database } from '../storage/database.ts'
import type { MediaStore } from '../storage/media-store.ts'
import type { Store } from '../storage/store.ts'
import { calibrateCommand } from './calibrate-command.ts'
import {
  collectAppsCommand,
  collectChartsCommand,
  collectHintsCommand,
  collectPagesCommand,
  collectSearchesCommand,
} from './collect-command.ts'
import { exportCommand } from './export-command.ts'
import { importCommand } from './import-command.ts'
import { createKeyCommand, listKeysCommand, revokeKeyCommand } from './key-commands.ts'
import { replayCommand } from './replay-command.ts'
import { dismissRequestCommand, listRequestsCommand } from './request-commands.ts'
import { sourcesCommand } from './sources-command.ts'
import type { Terminal } from './terminal.ts'

/** What a command of the operator works with. */
export interface Bench {
  store: Store
  db: Database
  collecting: Collecting
  /** Copies of media. */
  media: MediaStore
  terminal: Terminal
  /** Standard input, when the command reads it. */
  stdin: Readable | undefined
  /** Directory that paths are relative to. */
  directory: string
  /** Ends when the operator interrupts the command. */
  signal: AbortSignal
}

/** Exit code: 0 done, 1 failed. */
export type Command<Options> = (bench: Bench, options: Options) => Promise<0 | 1>

/** The operator's commands that need the store. They run in this process, or in the one that holds the store. */
export const commands = {
  'collect charts': collectChartsCommand,
  'collect apps': collectAppsCommand,
  'collect pages': collectPagesCommand,
  'collect searches': collectSearchesCommand,
  'collect hints': collectHintsCommand,
  sources: sourcesCommand,
  import: importCommand,
  export: exportCommand,
  replay: replayCommand,
  calibrate: calibrateCommand,
  'keys create': createKeyCommand,
  'keys list': listKeysCommand,
  'keys revoke': revokeKeyCommand,
  'requests list': listRequestsCommand,
  'requests dismiss': dismissRequestCommand,
}

export type CommandName = keyof typeof commands
export type OptionsOf<Name extends CommandName> = Parameters<(typeof commands)[Name]>[1]

/** A command with its options, as it crosses the operator socket. */
export interface Order<Name extends CommandName = CommandName> {
  command: Name
  options: OptionsOf<Name>
}

/** @throws Error when there is no such command: an order may come from anybody who can open the socket */
export async function perform(bench: Bench, order: Order): Promise<0 | 1> {
  if (!Object.hasOwn(commands, order.command) || typeof order.options !== 'object' || order.options === null)
    throw new Error('The order names no command with its options.')
  return (commands[order.command] as Command<unknown>)(bench, order.options)
}
