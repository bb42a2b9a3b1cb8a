import { openQueue } from '../jobs/open-queue.ts'
import { type MoveParts, moveStore } from '../storage/backup/move-store.ts'
import type { FoundBackup } from '../storage/backup/read-backup.ts'
import { type RestoreParts, restoreBackup } from '../storage/backup/restore-backup.ts'
import { type BackupParts, writeBackup } from '../storage/backup/write-backup.ts'
import type { Store } from '../storage/store.ts'
import type { Terminal } from './terminal.ts'

/** Backs up a store. Ends with a summary line. */
export async function backupCommand(
  terminal: Terminal,
  parts: Omit<BackupParts, 'progress'>,
  { keep, json }: { keep?: number; json?: boolean },
): Promise<0 | 1> {
  const progress = terminal.progress.bind(terminal)
  return untilInterrupted(terminal, parts.signal, 'What was written of this backup was removed.', async () => {
    const done = await writeBackup({ ...parts, progress }, keep)
    const { backup, tables, rows, bytes, media, removed } = done
    if (media.missing > 0)
      terminal.note(
        `${counted(media.missing, 'kept copy', 'kept copies')} that the store names could not be read, and the backup is without ${media.missing === 1 ? 'it' : 'them'}. rivalscope doctor says more.`,
      )
    const kept = `${counted(media.objects, 'kept copy', 'kept copies')} of media, ${media.copied} of them new there`
    const old =
      removed.length > 0 ? `; removed ${counted(removed.length, 'older backup', 'older backups')}` : ''
    terminal.out(
      json
        ? JSON.stringify(done)
        : `backup ${backup}: ${tables} tables with ${rows} rows in ${megabytes(bytes)}, and ${kept}${old}`,
    )
  })
}

/** Restores a backup into an empty store. Ends with a summary line. @param check whether the store is removed afterwards */
export async function restoreCommand(
  terminal: Terminal,
  parts: Omit<RestoreParts, 'progress' | 'prepareQueue'>,
  found: FoundBackup,
  { check, json }: { check?: boolean; json?: boolean },
): Promise<0 | 1> {
  const progress = terminal.progress.bind(terminal)
  return untilInterrupted(terminal, parts.signal, 'Nothing was restored.', async () => {
    const done = await restoreBackup({ ...parts, progress, prepareQueue }, found)
    const { backup, takenAt, tables, rows, media, migrated } = done
    const what = `${tables} tables with ${rows} rows and ${counted(media, 'kept copy', 'kept copies')} of media`
    const newer =
      migrated.length > 0 ? `; applied ${counted(migrated.length, 'migration', 'migrations')} to it` : ''
    terminal.out(
      json
        ? JSON.stringify({ ...done, checked: check === true })
        : check
          ? `backup ${backup} of ${takenAt} is sound: ${what} were restored into an empty store and are the same${newer}`
          : `restored backup ${backup} of ${takenAt}: ${what}${newer}`,
    )
  })
}

/** Moves a store into another one. Ends with a summary line. @param start how the service is started afterwards */
export async function moveCommand(
  terminal: Terminal,
  parts: Omit<MoveParts, 'progress' | 'prepareQueue'>,
  { start, json }: { start: string; json?: boolean },
): Promise<0 | 1> {
  const progress = terminal.progress.bind(terminal)
  const after = 'The source is as it was; the same command goes on with what is missing.'
  return untilInterrupted(terminal, parts.signal, after, async () => {
    const done = await moveStore({ ...parts, progress, prepareQueue })
    const { tables, rows, movedBefore, media } = done
    if (media.missing > 0)
      terminal.note(
        `${counted(media.missing, 'kept copy', 'kept copies')} of media could not be read, and stayed.`,
      )
    const before = movedBefore > 0 ? `, ${movedBefore} of them by an earlier run` : ''
    const copies = parts.media ? ` and ${counted(media.objects, 'kept copy', 'kept copies')} of media` : ''
    terminal.out(
      json
        ? JSON.stringify(done)
        : `moved ${tables} tables${before} with ${rows} rows${copies}. The source is as it was. Start with: ${start}`,
    )
  })
}

/** Makes the queues of this version. */
async function prepareQueue(store: Store): Promise<void> {
  const failures: Error[] = []
  await using _queue = await openQueue(store, false, (error) => failures.push(error))
  if (failures[0]) throw failures[0]
}

async function untilInterrupted(
  terminal: Terminal,
  signal: AbortSignal,
  after: string,
  perform: () => Promise<void>,
): Promise<0 | 1> {
  try {
    await perform()
    return 0
  } catch (error) {
    if (!signal.aborted) throw error
    terminal.note(`Interrupted. ${after}`)
    return 1
  }
}

const counted = (value: number, one: string, more: string) => `${value} ${value === 1 ? one : more}`
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
