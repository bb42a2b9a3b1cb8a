import type { Readable, Writable } from 'node:stream'

/** A stream that may lead to a screen. */
export interface ScreenStream extends Writable {
  isTTY?: boolean
  columns?: number
}

/** The environment of a command: streams, variables, directory and exit code. A process has one; tests make their own. */
export interface CommandContext {
  env: NodeJS.ProcessEnv
  /** The directory that relative paths refer to. */
  directory: string
  stdin: Readable & { isTTY?: boolean }
  stdout: ScreenStream
  stderr: ScreenStream
  /** Aborted when the command is to end early; the reason's message is the name of the signal. */
  signal: AbortSignal
  /** Lowers the priority of this process. */
  lowerPriority(): void
}
