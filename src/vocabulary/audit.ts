/** The origins of writes: the interfaces for programs, the web pages, commands of the operator, and the schedule of workers. */
export const auditDoors = ['http', 'mcp', 'pages', 'command-line', 'schedule'] as const

export type AuditDoor = (typeof auditDoors)[number]

/**
 * The outcome of a write: `known` where the same was stored already, `accepted` where work waits or runs, `removed` also where
 * something was withdrawn. Commands record two events, `begun` and `done` or `failed`, since one that fails or is killed may have
 * written a part.
 */
export const auditOutcomes = ['created', 'known', 'accepted', 'removed', 'begun', 'done', 'failed'] as const

export type AuditOutcome = (typeof auditOutcomes)[number]
