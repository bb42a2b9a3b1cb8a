import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { addAbortSignal } from 'node:stream'
import type { CommandContext } from './cli/command-context.ts'
import type { OperatorCall } from './cli/operator/operator-commands.ts'
import { readConfiguration } from './configuration.ts'
import { recordAuditedWrite } from './domain/accounts/audit.ts'
import { accountNamed } from './domain/accounts/queries.ts'
import { notificationsFrom } from './jobs/notifications/settings.ts'
import type { StoreCommand } from './operator/command.ts'
import { locationOf, mediaDirectoryOf } from './operator/location.ts'
import type { Terminal } from './operator/operator-context.ts'
import type { Database } from './storage/database.ts'
import { openMediaStore } from './storage/open-media-store.ts'
import { hasNoStore, openStore } from './storage/open-store.ts'

/** Performs a command of the operator on the store, which other processes may use at the same time. */
export async function performOnStore(
  { name, row, input, options }: OperatorCall & { row: StoreCommand },
  terminal: Terminal,
  {
    env,
    directory,
    signal,
    stdin,
    lowerPriority,
  }: Pick<CommandContext, 'env' | 'directory' | 'signal' | 'stdin' | 'lowerPriority'>,
): Promise<0 | 1 | 2> {
  const location = locationOf(options)
  const configuration = await readConfiguration(options.config, env)
  const { makesStore, lowPriority = false, writes } = row
  if (lowPriority) lowerPriority()
  const isNew = 'dataDir' in location && hasNoStore(location.dataDir)
  await using store = await openStore(location, `rivalscope ${name}`, {
    mustExist: !makesStore,
    lowPriority,
  })
  if (isNew && 'dataDir' in location)
    terminal.note(
      `Made a new store in ${resolve(directory, location.dataDir)}, since none was there. --data-dir or --database-url names another.`,
    )
  const collecting = async () =>
    (await import('./jobs/collecting/collecting.ts')).collectingOn(store.db, configuration)
  const media = openMediaStore(configuration.media.store, mediaDirectoryOf(options), env)
  const notifications = notificationsFrom(configuration.watches, env)
  const readsStdin = Array.isArray(input.files) && input.files.includes('-')
  // It may never end: an interruption must not wait for it.
  if (readsStdin)
    addAbortSignal(
      signal,
      stdin.on('error', () => {}),
    )
  const run = () =>
    row.run(
      {
        store,
        db: store.db,
        collecting,
        media,
        notifications,
        retention: configuration.retention,
        terminal,
        environment: env,
        stdin: readsStdin ? stdin : undefined,
        directory,
        signal,
      },
      input,
    )
  return writes ? await withAuditEvents(store.db, row.recordedAs ?? name, input, run) : await run()
}

/** Records an audit event before a command and one after it: a command that fails in between may have written a part. */
export async function withAuditEvents(
  db: Database,
  operation: string,
  input: Record<string, unknown>,
  run: () => Promise<0 | 1 | 2>,
): Promise<0 | 1 | 2> {
  const actor = `user:${userInfo().username}`
  const { account } = input
  const accountOf = () => (typeof account === 'string' ? accountNamed(db, account) : undefined)
  const record = async (outcome: 'begun' | 'done' | 'failed') =>
    recordAuditedWrite(db, {
      door: 'command-line',
      actor,
      accountId: await accountOf(),
      operation,
      input,
      outcome,
    })
  await record('begun')
  try {
    const code = await run()
    await record(code === 0 ? 'done' : 'failed')
    return code
  } catch (error) {
    // Why it failed is told, whether or not the store can still be written.
    await record('failed').catch(() => {})
    throw error
  }
}
