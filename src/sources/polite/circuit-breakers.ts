import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  handleType,
} from 'cockatiel'
import { SourceFailure } from './failure.ts'

const failuresInARow = 5

/** The circuit breakers of one upstream, one for each storefront, known to this process only. */
export interface CircuitBreakers {
  /**
   * Runs the call, unless the circuit is open. A half-open circuit lets a single call through first.
   * @throws SourceFailure `circuit-open`, or any error of the call
   */
  run<Value>(country: string | null, call: () => Promise<Value>, signal: AbortSignal): Promise<Value>
}

/** A circuit opens after five failed calls in a row, and stays open for `openMs`. */
export function circuitBreakersOf(upstream: string, openMs: number): CircuitBreakers {
  const circuits = new Map<string | null, CircuitBreaker>()
  return {
    async run(country, call, signal) {
      const circuit = circuits.get(country) ?? newCircuitBreaker(openMs)
      circuits.set(country, circuit)
      try {
        return await circuit.policy.execute(call, signal)
      } catch (error) {
        if (!(error instanceof BrokenCircuitError)) throw error
        const retryAfterMs = Math.max(0, circuit.openUntil - Date.now())
        const facts = { kind: 'circuit-open', upstream, country, retryAfterMs } as const
        throw new SourceFailure(facts, `left alone after ${failuresInARow} failures in a row`)
      }
    },
  }
}

interface CircuitBreaker {
  policy: CircuitBreakerPolicy
  /** Milliseconds since 1970. */
  openUntil: number
}

function newCircuitBreaker(openMs: number): CircuitBreaker {
  const breaker = new ConsecutiveBreaker(failuresInARow)
  const circuit = {
    policy: circuitBreaker(handleType(SourceFailure), { halfOpenAfter: openMs, breaker }),
    openUntil: 0,
  }
  circuit.policy.onBreak(() => {
    circuit.openUntil = Date.now() + openMs
  })
  return circuit
}
