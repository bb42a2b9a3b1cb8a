import type { FastifyInstance } from 'fastify'
import type { ListRuns } from '../api/ad-import-shapes.ts'
import { besideContract } from './beside-contract.ts'
import type { OperationDoors } from './operations.ts'

/**
 * `/ad-imports`: the newest imports of paid ads of the caller's account, for the page of them, with the scope of
 * `admin_get_paid_ad_import`, which tells the rest of one. Not part of the contract, which lists none.
 */
export function adImportsRoute(app: FastifyInstance, doors: OperationDoors, listRuns: ListRuns): void {
  besideContract(app, doors, {
    '/ad-imports': {
      GET: async ({ caller }) => {
        doors.door.admit('admin_get_paid_ad_import', caller)
        return { items: await listRuns(caller.accountId) }
      },
    },
  })
}
