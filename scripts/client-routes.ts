import { areas } from '../src/contract/contract.ts'
import { splitIntoRequestParts } from '../src/contract/flat-arguments.ts'
import type { Operation } from '../src/contract/operation.ts'

const operations = Object.values(areas).flatMap(({ title, operations }) =>
  Object.entries<Operation>(operations).map(([tool, operation]) => ({ area: title, tool, operation })),
)

/** The data a client needs to call each operation, without schemas: those would be larger than the client itself. */
export function clientRoutes(): Record<string, object> {
  return Object.fromEntries(
    operations.map(({ area, tool, operation }) => {
      const { method, path, scope, ending, summary, list, shownBy } = operation
      return [
        tool,
        {
          ...{ area, summary, method, path, scope, ending },
          params: namesOf(operation.params),
          fixed: splitIntoRequestParts(operation, {}).params,
          query: namesOf(operation.query),
          body: operation.body ? namesOf(operation.body) : null,
          list: list?.at ?? null,
          paged: operation.query?.shape.cursor !== undefined,
          shownBy: shownBy ?? null,
          restsOn: operation.method === 'GET' ? operation.restsOn : [],
        },
      ]
    }),
  )
}

const namesOf = (part: Operation['query']): string[] => Object.keys(part?.shape ?? {})
