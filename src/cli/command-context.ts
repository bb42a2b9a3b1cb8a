import type { Readable, Writable } from 'node:stream'

/** A stream that may lead to a screen. */
export interface Screen extends Writable {
  isTTY?: boolean
  columns?: number
}

/** All that a command takes from its surroundings and leaves in them. A process has one of its own; tests make theirs. */
export interface CommandContext {
  env: NodeJS.ProcessEnv
  /** Where relative paths begin. */
  directory: string
  stdin: Readable & { isTTY?: boolean }
  stdout: Screen
  stderr: Screen
  /** Aborted when the command is to end early; the reason's message is the name of the signal. */
  signal: AbortSignal
  /** Lets other processes go first from here on. */
  lowerPriority(): void
}
