import type { Command } from 'commander'
import type { Operation } from '../contract/operation.ts'
import type { CommandContext } from './command-context.ts'
import type { Column, TableBlock } from './present/blocks.ts'

/** `rivalscope contract`: the table of operations that HTTP, MCP and command line follow. The contract is loaded on demand. */
export function contractCommand(
  program: Command,
  openApi: () => Promise<object>,
  end: (code: number) => void,
  context: CommandContext,
): void {
  const command = program
    .command('contract')
    .description('print the table of all operations: tool, method, path, scope and how each ends')
    .option('--json', 'as JSON')
    .action(({ json }: { json?: boolean }) => printContract(json ?? false, context).then(() => end(0)))
  command
    .command('openapi')
    .description('print the OpenAPI document')
    .action(async () => {
      context.stdout.write(`${JSON.stringify(await openApi(), null, 2)}\n`)
      end(0)
    })
}

async function printContract(json: boolean, { stdout, env }: CommandContext): Promise<void> {
  const { contract } = await import('../contract/contract.ts')
  const rows = Object.entries(contract satisfies Record<string, Operation>).map(
    ([tool, { method, path, scope, ending }]) => ({ tool, method, path, scope, ending }),
  )
  if (json) {
    stdout.write(`${JSON.stringify(rows)}\n`)
    return
  }
  const [{ layOut }, { styleOf }] = await Promise.all([
    import('./present/layout.ts'),
    import('./present/style.ts'),
  ])
  const table: TableBlock = {
    kind: 'table',
    columns,
    rows: rows.map(({ path, ...row }) => [
      { text: row.tool, whole: true },
      { text: row.method },
      { text: path },
      { text: row.scope, whole: true },
      { text: row.ending },
    ]),
  }
  stdout.write(`${layOut([table], styleOf(stdout, env))}\n`)
}

/** On a narrow screen the columns of tools and paths are dropped last; only paths are cut. */
const columns: Column[] = [
  { title: 'tool', stays: 1 },
  { title: 'method', stays: 3 },
  { title: 'path', stays: 2 },
  { title: 'scope', stays: 4 },
  { title: 'ending', stays: 5 },
]
