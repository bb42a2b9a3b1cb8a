/** A backup, a restore or a move that cannot be, in words for the operator. What was there before is as it was. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** As Node and PostgreSQL say that a disk is full. */
const fullDisk = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** Tells of a full disk in words; any other failure stays what it is. @param after what is as it was, or was removed */
export function onFullDisk(error: unknown, disk: string, after: string): unknown {
  const isFull = error instanceof Error && 'code' in error && fullDisk.has(String(error.code))
  return isFull ? new BackupError(`The disk of ${disk} is full. ${after}`, { cause: error }) : error
}
