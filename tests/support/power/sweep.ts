import { sweepLeftovers } from './leftovers.ts'

// Run by a disk whose owner ended without taking it down.
await sweepLeftovers()
