/**
 * Shards of each table in a cluster when no number is given: Citus' own default. A worker holds at least one shard, and a
 * store is not resharded automatically, so this is the most workers that a store can grow to.
 */
export const defaultShards = 32

export const maxShards = 4096
