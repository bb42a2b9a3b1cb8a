import { release } from 'node:os'

/** How an embedded store is run. */
export interface StoreSettings {
  /** Memory PostgreSQL may take for itself, in MiB; what the system keeps of its files comes on top. */
  memoryMiB: number
  /** User that owns the store where root starts it; see `ownerOf`. */
  owner?: string
  /** For stores that nobody will miss: nothing is flushed to the disk. */
  throwAway?: boolean
  /** Seconds the store stays open after its last user has gone, for whoever comes next. */
  lingerSeconds?: number
}

export const usualMemoryMiB = 128

/** Connections of all processes together: each opens at most ten. */
const connections = 100

/**
 * The settings PostgreSQL is started with. Half of the memory is its cache of pages, a quarter is for making indexes and
 * cleaning up, the rest for sorting: that is for one statement each, so the most that can be used is more.
 */
export function settingsOf({ memoryMiB, throwAway = false }: StoreSettings): Record<string, string> {
  return {
    shared_buffers: `${Math.floor(memoryMiB / 2)}MB`,
    maintenance_work_mem: `${Math.max(16, Math.floor(memoryMiB / 4))}MB`,
    work_mem: `${Math.max(2, Math.floor(memoryMiB / 32))}MB`,
    effective_cache_size: `${memoryMiB * 4}MB`,
    max_connections: String(connections),
    // One machine, often a small one: parallel workers and a pool of input and output processes cost more than they give.
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    max_worker_processes: '4',
    autovacuum_max_workers: '2',
    io_method: 'sync',
    // There is nobody to replicate to.
    wal_level: 'minimal',
    max_wal_senders: '0',
    min_wal_size: '32MB',
    max_wal_size: '512MB',
    random_page_cost: '1.1',
    // Searches read what is not folded into the indexes yet: more of it makes imports faster and searches beside them slower.
    gin_pending_list_limit: '512kB',
    huge_pages: 'off',
    // After a crash every file is flushed before recovery: at once where the system can and tells of failures (Linux 5.8).
    ...(flushesFileSystems(process.platform, release()) ? { recovery_init_sync_method: 'syncfs' } : {}),
    log_min_messages: 'warning',
    // What a statement says can hold what nobody should read in a log.
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...(throwAway
      ? { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_wal_size: '2GB' }
      : {}),
  }
}

function flushesFileSystems(platform: string, kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split('.').map(Number)
  return platform === 'linux' && (major > 5 || (major === 5 && minor >= 8))
}
