import { type AnyCall, Call, type CallOf, type CallOptions } from './call.ts'
import type { Operations, Tool } from './operation-types.ts'
import type { Arguments } from './request.ts'
import { methodName, tools } from './routes.ts'
import { Transport, type TransportOptions } from './transport.ts'

export type { AnyCall, CallOf, CallOptions, ListCall, WorkCall } from './call.ts'
export {
  type NoAnswerReason,
  RivalscopeProblem,
  ServerUnreachable,
  WorkNotDone,
  type WorkState,
} from './failures.ts'
export type { Operations, ProblemCode, Tool } from './operation-types.ts'
export { methodName } from './routes.ts'
export type { TransportOptions as RivalscopeOptions } from './transport.ts'
export type { WaitOptions } from './work.ts'

/** A method for each operation, by its name in camel case. */
export type Methods = { [T in Tool as CamelCase<T>]: Method<T> }

/** Arguments are optional where the operation requires none. */
type Method<T extends Tool> =
  Record<never, never> extends Operations[T]['arguments']
    ? (given?: Operations[T]['arguments'], options?: CallOptions) => CallOf<T>
    : (given: Operations[T]['arguments'], options?: CallOptions) => CallOf<T>

type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name

/** Calls by name, for programs that choose the operation at run time. */
export interface ByName {
  /** The service validates name and arguments, and answers with a RivalscopeProblem. */
  call(tool: Tool, given?: Arguments, options?: CallOptions): AnyCall
}

/** A running Rivalscope, called over HTTP. It holds no connection and need not be closed. */
export type Rivalscope = Methods & ByName

export const Rivalscope = class Rivalscope implements ByName {
  readonly #transport: Transport

  constructor(options: TransportOptions) {
    this.#transport = new Transport(options)
  }

  call(tool: Tool, given: Arguments = {}, options: CallOptions = {}): AnyCall {
    return new Call(this.#transport, tool, given, options) as AnyCall
  }

  static {
    for (const tool of tools)
      Object.defineProperty(Rivalscope.prototype, methodName(tool), {
        value(this: ByName, given?: Arguments, options?: CallOptions) {
          return this.call(tool, given, options)
        },
      })
  }
} as unknown as new (
  options: TransportOptions,
) => Rivalscope
