import { command, printList, Refusal } from './command.ts'
import { given } from './field-help.ts'
import { jsonFlag, Text } from './fields.ts'

export const evidenceCommands = {
  /** Imports of inline records, and links. */
  'evidence list': command({
    input: { account: given('<name>', 'only what this account brought', Text.exactOptional()), json: jsonFlag },
    async perform(context, { account, json: jsonFlag }) {
      const { userProvidedEvidence } = await import('../domain/paid-ads/user-provided-queries.ts')
      return printList(context, await userProvidedEvidence(context.db, account), {
        json: jsonFlag,
        none: 'No account brought any evidence.',
        line: ({ id, kind, what, account, door, broughtAt, withdrawnAt }) => {
          const state = withdrawnAt ? `withdrawn ${withdrawnAt.toISOString().slice(0, 16)}Z` : 'stands'
          return `${id}  ${kind.padEnd(7)}  ${state}  ${account}  ${door}  ${broughtAt.toISOString().slice(0, 16)}Z  ${what}`
        },
      })
    },
  }),

  /** Idempotent. */
  'evidence withdraw': command({
    writes: true,
    input: { id: given('<id>', '', Text) },
    places: ['id'],
    async perform({ db, terminal }, { id }) {
      const { sql } = await import('kysely')
      const { rows: runs } = await sql`
        select from ad_imports where run_id::text = ${id} and query is null`.execute(db)
      if (runs.length > 0) {
        const { withdrawRun } = await import('../jobs/ad-imports/withdraw-records.ts')
        await withdrawRun(db, id, new Date())
      } else {
        const { withdrawDecision } = await import('../domain/paid-ads/link-decisions.ts')
        if (!(await withdrawDecision(db, id)))
          throw new Refusal(
            `No import of inline records and no decision about links has the id "${id}"; rivalscope evidence list names them.`,
          )
      }
      terminal.out(`withdrawn ${id}`)
      return 0
    },
  }),
}
