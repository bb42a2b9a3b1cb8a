/** The result of a job, for the log: its subject, outcome and counts. Ids, counts and reasons; no secrets, and no records. */
export type JobReport = { outcome: string } & Readonly<Record<string, string | number | null>>
