import { mock } from 'node:test'

/** The clock that code of this process reads: `Date`. Timers, `performance` and PostgreSQL go on as ever. */
export interface StoppedClock extends Disposable {
  /** Moves it on. */
  pass(milliseconds: number): void
}

/** Stops the clock of this process until it is disposed, so that nothing ends by itself and a window cannot end in the middle of a test. */
export function stopClock(): StoppedClock {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  return {
    pass: (milliseconds) => mock.timers.tick(milliseconds),
    [Symbol.dispose]: () => mock.timers.reset(),
  }
}
