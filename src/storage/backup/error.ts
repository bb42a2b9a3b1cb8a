/** A backup, a restore or a move that failed or was refused, with a message for the operator. Previous data is unchanged. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** The codes of Node and PostgreSQL for a full disk. */
const fullDisk = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** Returns a BackupError for a full disk, and any other error as it is. @param after what is unchanged, or was removed */
export function asFullDiskError(error: unknown, disk: string, after: string): unknown {
  const isFull = error instanceof Error && 'code' in error && fullDisk.has(String(error.code))
  return isFull ? new BackupError(`The disk of ${disk} is full. ${after}`, { cause: error }) : error
}
