/**
 * The figures of a store at `/metrics`, besides those of the process: names, meanings and labels for Prometheus. A name that
 * ends with `_total` is a counter, the others are gauges.
 */
export const storeFigures = {
  rivalscope_jobs: {
    help: 'Jobs that are queued or running, and those that failed within the last day.',
    labels: ['queue', 'state'],
  },
  rivalscope_job_oldest_waiting_seconds: {
    help: 'How long the job of a queue that could start longest ago has waited.',
    labels: ['queue'],
  },
  rivalscope_worker_silent_seconds: {
    help: 'Time since the last heartbeat of any process that works on jobs, every 30 seconds; absent while there never was one.',
    labels: [],
  },
  rivalscope_schedule_lag_seconds: {
    help: 'Time since jobs that fall due were last looked for, every minute; absent while they never were.',
    labels: [],
  },
  rivalscope_source_failures: {
    help: 'Failures of a source in a storefront in a row; 0 while it is well.',
    labels: ['source', 'country'],
  },
  rivalscope_source_failing_seconds: {
    help: 'How long a source has failed in a storefront; 0 while it is well.',
    labels: ['source', 'country'],
  },
  rivalscope_source_last_success_seconds: {
    help: 'Time since a source last answered in a storefront, to half a minute; absent while it never did.',
    labels: ['source', 'country'],
  },
  rivalscope_upstream_calls_total: {
    help: 'Calls of an upstream by how they ended: answered, or the kind of failure. Counted by all processes of the store together.',
    labels: ['upstream', 'outcome'],
  },
  rivalscope_upstream_hold_seconds: {
    help: 'How long an upstream that throttles is not asked from now on; 0 while it may be.',
    labels: ['upstream'],
  },
  rivalscope_keys_expiring: {
    help: 'Valid API keys that expire within seven days.',
    labels: [],
  },
  rivalscope_backup_age_seconds: {
    help: 'Time since the last backup that was finished; absent while there was none.',
    labels: [],
  },
  rivalscope_backup_failures: {
    help: 'Backups that have failed since the last that was finished, as into a place that is full.',
    labels: [],
  },
  rivalscope_store_disk_full: {
    help: 'Whether the store cannot be written because its disk is full: 1 for a minute after this process was refused a write for it.',
    labels: [],
  },
  rivalscope_store_disk_free_bytes: {
    help: 'Free space where the embedded store is; absent for a PostgreSQL of your own.',
    labels: [],
  },
  rivalscope_store_bytes: {
    help: 'Size of the database on disk, without its log.',
    labels: [],
  },
  rivalscope_table_bytes: {
    help: 'Size of a table with its indexes and parts on this server.',
    labels: ['table'],
  },
  rivalscope_table_rows: {
    help: "Rows of a table with its parts on this server, as PostgreSQL's statistics have them.",
    labels: ['table'],
  },
} as const satisfies Record<string, { help: string; labels: readonly string[] }>

export type StoreFigureName = keyof typeof storeFigures

/** A value of one of these figures. */
export interface StoreFigure {
  name: StoreFigureName
  /** Values of its labels, in their order. */
  labels: string[]
  value: number
}
