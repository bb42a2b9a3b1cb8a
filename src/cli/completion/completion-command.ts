import { Argument, type Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { LazyCommand } from '../lazy-command.ts'

/** `rivalscope completion bash|zsh`: prints a script that completes everything the command line takes, without asking it. */
export function completionCommand(
  program: Command,
  end: (code: number) => void,
  { stdout }: CommandContext,
): void {
  program
    .command('completion')
    .description('print a script that completes commands, options and their words')
    .addArgument(new Argument('<shell>', 'the shell it is for').choices(['bash', 'zsh']))
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        "  echo 'source <(rivalscope completion bash)' >> ~/.bashrc",
        `  rivalscope completion zsh > ~/.zsh/_rivalscope   # a directory of $fpath`,
      ].join('\n'),
    )
    .action(async (shell: string) => {
      stdout.write(await completionScript(program, shell))
      end(0)
    })
}

/** Gives every command its options first: normally only the chosen command gets them. */
async function completionScript(program: Command, shell: string): Promise<string> {
  const { completionTrees } = await import('./tree.ts')
  for (const command of program.commands.flatMap((one) => [one, ...one.commands]))
    if (command instanceof LazyCommand) await command.prepare()
  const trees = completionTrees(program)
  if (shell === 'bash') return (await import('./bash.ts')).bashScript(trees)
  return (await import('./zsh.ts')).zshScript(trees)
}
