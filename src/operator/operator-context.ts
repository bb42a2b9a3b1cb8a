import type { Readable } from 'node:stream'
import type { CollectingClients } from '../jobs/collecting/collecting.ts'
import type { Notifications } from '../jobs/notifications/settings.ts'
import type { Retention } from '../projections/retention/policies.ts'
import type { Database } from '../storage/database.ts'
import type { MediaStore } from '../storage/media-store.ts'
import type { Store } from '../storage/store.ts'

/** Output of an operator's command. */
export interface Terminal {
  /** The result of the command, on standard output. */
  out(text: string): void
  /** Messages for the user, on standard error. */
  note(text: string): void
  /** Progress of long work. `total` is 0 when unknown. */
  progress(progress: Progress): void
  /** Asks a person, and answers what they typed before Enter. Left out where nobody sits at a terminal. */
  ask?: ((question: string) => Promise<string>) | undefined
}

export interface Progress {
  label: string
  done: number
  total: number
  /** The unit in the plural; bytes are shown as MB. */
  unit: string
}

/** The context of operator commands. */
export interface OperatorContext {
  store: Store
  db: Database
  /** The clients of sources, loaded on demand, since few commands need them. */
  collecting: () => Promise<CollectingClients>
  /** The archive of media. */
  media: MediaStore
  /** The settings of notifications. */
  notifications: Notifications
  /** The retention policies. */
  retention: Retention
  terminal: Terminal
  environment: NodeJS.ProcessEnv
  /** Standard input, when the command reads it. */
  stdin: Readable | undefined
  /** Directory that paths are relative to. */
  directory: string
  /** Aborted when the operator interrupts the command. */
  signal: AbortSignal
}

/** The context of a command that runs on a running server. */
export interface RemoteContext {
  /** Its address, without a slash at the end. */
  server: string
  key: string
  terminal: Terminal
  directory: string
  signal: AbortSignal
}

/** The context of a command that opens its store itself. */
export interface StandaloneContext {
  terminal: Terminal
  env: NodeJS.ProcessEnv
  directory: string
  stdin: Readable
  /** Whether a person reads what is told there. */
  stderr: { isTTY?: boolean }
  signal: AbortSignal
  /** Lowers the priority of this process. */
  lowerPriority(): void
}
