import { type Order, perform } from '../../src/operator/commands.ts'
import type { World } from './world.ts'

/** What a command of the operator ended with, and what it told. */
export interface Told {
  code: 0 | 1
  out: string
  notes: string
}

/** Performs a command of the operator on the store of a world, as the process that holds it does. */
export async function operate({ store, collecting }: World, order: Order): Promise<Told> {
  const told = { out: '', notes: '' }
  const terminal = {
    out: (text: string) => {
      told.out += `${text}\n`
    },
    note: (text: string) => {
      told.notes += `${text}\n`
    },
    progress: () => {},
  }
  const { signal } = new AbortController()
  const bench = { store, db: store.db, collecting, terminal, stdin: undefined, directory: '', signal }
  return { code: await perform(bench, order), ...told }
}
