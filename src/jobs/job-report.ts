/**
 * What a job did, for the log: of what, how it ended, how much. Ids, counts and reasons; nothing that is secret, and no
 * records.
 */
export type JobReport = { outcome: string } & Readonly<Record<string, string | number | null>>
