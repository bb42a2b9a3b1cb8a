import { type CommandCall, perform } from '../../src/operator/commands.ts'
import type { World } from './world.ts'

/** What a command of the operator ended with, and what it told. */
export interface Told {
  code: 0 | 1
  out: string
  notes: string
}

/** Performs a command of the operator on the store of a world, as the process that holds it does. */
export async function operate({ store, collecting, keeping }: World, call: CommandCall): Promise<Told> {
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
  const media = keeping.store
  const bench = { store, db: store.db, collecting, media, terminal, stdin: undefined, directory: '', signal }
  return { code: await perform(bench, call), ...told }
}
