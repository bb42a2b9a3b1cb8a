import { release } from 'node:os'

/** Settings of an embedded store. */
export interface StoreSettings {
  /** Memory PostgreSQL may take for itself, in MiB; the system's page cache comes on top. */
  memoryMiB: number
  /** User that owns the store where root starts it; see `ownerOf`. */
  owner?: string
  /** For disposable stores: nothing is flushed to the disk. */
  throwAway?: boolean
  /** Seconds the store stays open after its last user has gone, for the next one. */
  lingerSeconds?: number
}

export const defaultMemoryMiB = 128

/** Limit of connections of all processes together: each opens at most ten. */
const connections = 100

/**
 * The settings PostgreSQL is started with. Half of the memory is its buffer cache, a quarter is for building indexes and
 * vacuum, the rest for sorting: that limit is per statement, so the total can be higher.
 */
export function postgresSettingsOf({ memoryMiB, throwAway = false }: StoreSettings): Record<string, string> {
  return {
    shared_buffers: `${Math.floor(memoryMiB / 2)}MB`,
    maintenance_work_mem: `${Math.max(16, Math.floor(memoryMiB / 4))}MB`,
    work_mem: `${Math.max(2, Math.floor(memoryMiB / 32))}MB`,
    effective_cache_size: `${memoryMiB * 4}MB`,
    max_connections: String(connections),
    // One machine, often a small one: parallel workers and a pool of I/O processes cost more than they gain.
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    max_worker_processes: '4',
    autovacuum_max_workers: '2',
    io_method: 'sync',
    // There are no replicas.
    wal_level: 'minimal',
    max_wal_senders: '0',
    min_wal_size: '32MB',
    max_wal_size: '512MB',
    random_page_cost: '1.1',
    huge_pages: 'off',
    // After a crash every file is flushed before recovery: in one call where the system can and reports failures (Linux 5.8).
    ...(flushesFileSystems(process.platform, release()) ? { recovery_init_sync_method: 'syncfs' } : {}),
    log_min_messages: 'warning',
    // Statements can hold values that do not belong in a log.
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    log_timezone: 'UTC',
    timezone: 'UTC',
    // All test processes share one, and a test may have several installations.
    ...(throwAway
      ? {
          fsync: 'off',
          full_page_writes: 'off',
          synchronous_commit: 'off',
          max_wal_size: '2GB',
          max_connections: '400',
        }
      : {}),
  }
}

function flushesFileSystems(platform: string, kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split('.').map(Number)
  return platform === 'linux' && (major > 5 || (major === 5 && minor >= 8))
}
