import type { Contract, Input, Operation, Reply } from '../contract/operation.ts'
import { insertAuditEvent } from '../domain/accounts/audit.ts'
import type { Schedule } from '../jobs/schedule.ts'
import { atomically, type Database } from '../storage/database.ts'
import type { WorkState } from '../vocabulary/work-states.ts'
import { withAsOf } from './as-of.ts'
import { type Caller, expectScope } from './caller.ts'
import { CursorSeal } from './cursor.ts'
import { compileInput, type RawInput } from './input.ts'
import { Problem, refuseByLimit, storeFailuresAsProblems } from './problem.ts'

type Handler<O extends Operation> = (input: Input<O>, caller: Caller) => Promise<Reply<O>>

/**
 * Handler of an operation that calls external sources while its caller waits. The calls come first and return the remaining
 * work on a database: they can take 30 seconds, and no transaction may be held for so long. They may be made twice for one
 * request, so their only side effect is stored evidence.
 */
interface AskingHandler<O extends Operation> {
  ask: (input: Input<O>, caller: Caller) => Promise<(db: Database) => Promise<Reply<O>>>
}

/** One handler for every operation: a missing one does not compile. */
export type Handlers<C extends Contract> = {
  [Tool in keyof C]: Handler<C[Tool]> | AskingHandler<C[Tool]>
}

/** The successful end of an operation; HTTP maps it to 200, 201, 202 or 204. */
export interface OperationOutcome {
  ending: 'read' | 'created' | 'known' | 'withdrawn' | 'accepted' | 'done' | 'removed'
  body: unknown
}

/** The part of a request that runs on a database. */
export type PerformOnDatabase = (db: Database) => Promise<OperationOutcome>

/** The single entry to all operations. Every transport uses it, so none can skip scopes or validation. */
export interface Door<C extends Contract = Contract> {
  readonly contract: C
  /**
   * Parses a request, and makes its calls to sources; the caller decides on which database the rest runs.
   * @throws Problem
   */
  prepare(tool: keyof C & string, raw: RawInput, caller: Caller): Promise<PerformOnDatabase>
  /**
   * Prepares a request and performs it.
   * @throws Problem
   */
  invoke(tool: keyof C & string, raw: RawInput, caller: Caller): Promise<OperationOutcome>
  /**
   * Checks the caller's scope, before the request itself is validated.
   * @throws Problem `scope-missing`
   */
  admit(tool: keyof C & string, caller: Caller): void
  /**
   * The canonical form of a request: normalised texts and all defaults filled in. Undefined for an invalid one; `prepare`
   * reports why.
   */
  meaningOf(tool: keyof C & string, raw: RawInput): readonly unknown[]
}

/** Runs operations that only read, possibly on another database than the default one. */
export interface Reads<C extends Contract> {
  /** @param perform may be called again on another database, after a failure that the other may not have */
  run<T>(perform: (handlers: Handlers<C>) => Promise<T>): Promise<T>
}

/**
 * @param db default database of operations
 * @param handlersOn all handlers over a database: `db`, or a transaction
 * @param reads where operations that only read run; on `db` when left out
 * @param schedule what is collected by itself: by it evidence is due
 */
export function createDoor<C extends Contract>(
  contract: C,
  db: Database,
  handlersOn: (db: Database) => Handlers<C>,
  reads?: Reads<C>,
  schedule?: () => Promise<Schedule>,
): Door<C> {
  const readers = new Map(Object.entries(contract).map(([tool, operation]) => [tool, compileInput(operation)]))
  const handlers = handlersOn(db)
  const cursors = new CursorSeal(db)

  function admit(tool: keyof C & string, caller: Caller): void {
    expectScope(caller, (contract[tool] as Operation).scope)
  }

  async function prepare(tool: keyof C & string, raw: RawInput, caller: Caller): Promise<PerformOnDatabase> {
    const operation = contract[tool] as Operation
    admit(tool, caller)
    const handler = handlers[tool] as Handler<Operation> | AskingHandler<Operation>
    const read = readers.get(tool)?.(raw)
    // Its parser returned the operation's input type; only the name of the operation says which one.
    const input = (await storeFailuresAsProblems(() => cursors.opened(tool, read))) as Input<Operation>
    const ended = async (reply: Promise<unknown>) => {
      const outcome = outcomeOf(
        operation,
        await storeFailuresAsProblems(async () => cursors.sealed(tool, await reply.catch(refuseByLimit))),
      )
      if (outcome.body === undefined) return outcome
      const { restsOn = [] } = operation
      return {
        ...outcome,
        body: withAsOf(outcome.body as object, restsOn, await schedule?.(), new Date()),
      }
    }
    if (typeof handler === 'object') {
      const perform = await storeFailuresAsProblems(() => handler.ask(input, caller))
      return audited(tool, input, caller, (on) => ended(perform(on)))
    }
    if (reads && operation.method === 'GET')
      return () => ended(reads.run((on) => (on[tool] as Handler<Operation>)(input, caller)))
    return audited(tool, input, caller, (on) => {
      const performing = on === db ? handler : (handlersOn(on)[tool] as typeof handler)
      return ended(performing(input, caller))
    })
  }

  /** Records a write in the same transaction; reads are not recorded. */
  function audited(
    tool: keyof C & string,
    input: Input<Operation>,
    caller: Caller,
    perform: PerformOnDatabase,
  ): PerformOnDatabase {
    if ((contract[tool] as Operation).method === 'GET') return perform
    const { accountId, credentialId, usesPages, door } = caller
    const recordOf = ({ ending }: OperationOutcome) =>
      insertAuditEvent({
        door: usesPages ? 'pages' : door,
        actor: credentialId,
        accountId,
        operation: tool,
        input: { ...(input as object) },
        outcome: ending === 'read' ? 'done' : ending === 'withdrawn' ? 'removed' : ending,
      })
    return (on) => storeFailuresAsProblems(() => atomically(on, perform, recordOf))
  }

  return {
    contract,
    admit,
    meaningOf(tool, raw) {
      try {
        return [tool, readers.get(tool)?.(raw)]
      } catch (error) {
        if (error instanceof Problem) return [tool]
        throw error
      }
    },
    prepare,
    invoke: async (tool, raw, caller) => (await prepare(tool, raw, caller))(db),
  }
}

function outcomeOf(operation: Operation, reply: unknown): OperationOutcome {
  switch (operation.ending) {
    case 'record': {
      const { created, withdrawn, resource } = reply as {
        created: boolean
        withdrawn?: boolean
        resource: unknown
      }
      return { ending: withdrawn ? 'withdrawn' : created ? 'created' : 'known', body: resource }
    }
    case 'accept':
      return { ending: hasEnded(reply) ? 'done' : 'accepted', body: reply }
    case 'remove':
      return { ending: 'removed', body: undefined }
    case 'read':
      return { ending: 'read', body: reply }
  }
}

/** Whether the requested work had ended before. */
function hasEnded(reply: unknown): boolean {
  const { status } = reply as { status: WorkState }
  return status === 'succeeded' || status === 'partial' || status === 'failed'
}
