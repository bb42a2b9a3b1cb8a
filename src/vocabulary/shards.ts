/**
 * Shards of each table in a cluster when none are named: Citus' own default. A worker holds at least one, and a store is not cut
 * anew by itself: it is the most workers that a store can grow to.
 */
export const usualShards = 32

export const mostShards = 4096
