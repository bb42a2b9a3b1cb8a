import type { Contract, Operation } from './operation.ts'

type Values = Readonly<Record<string, unknown>>

/** A call with complete arguments. */
export interface WorkStatusCall {
  tool: string
  arguments: Values
  /** The property of its reply with the work; the whole reply when left out. */
  at?: string
}

/** The call that shows the work another call started: arguments come from its reply, else from its own arguments. */
export function workStatusCall(
  contract: Contract,
  { shownBy }: Operation,
  reply: Values,
  given: Values,
): WorkStatusCall | undefined {
  if (!shownBy) return undefined
  const { params, query, body } = contract[shownBy.tool] as Operation
  const names = Object.keys({ ...params?.shape, ...query?.shape, ...body?.shape })
  const values = names
    .filter((name) => !ofPages.has(name))
    .map((name) => [name, [reply[name], given[name]].find(isPlain)] as const)
    .filter(([, value]) => value !== undefined)
  return { ...shownBy, arguments: Object.fromEntries(values) }
}

/** Arguments about a list, not about the work. */
const ofPages = new Set(['limit', 'cursor'])

const isPlain = (value: unknown) => typeof value === 'string' || typeof value === 'number'
