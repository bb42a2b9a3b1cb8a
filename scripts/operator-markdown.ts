import { toKebabCase } from '../src/cli/operations/words.ts'
import { loadCommand, summaries } from '../src/commands.ts'

const begins = '<!-- from src/commands.ts -->'
const ends = '<!-- to here -->'

/** The page about the command line, with the table of the operator's commands generated from their rows. */
export async function withOperatorTable(page: string): Promise<string> {
  const [before, rest = ''] = page.split(begins)
  const [, after] = rest.split(ends)
  if (after === undefined) throw new Error('docs/cli.md has no place for the commands of the operator')
  const rows = await Promise.all(Object.entries(summaries).map(([name, about]) => rowOf(name, about)))
  return `${before}${begins}\n| command | what it does | takes |\n| --- | --- | --- |\n${rows.join('\n')}\n${ends}${after}`
}

async function rowOf(name: string, about: string): Promise<string> {
  const { words, places } = await loadCommand(name)
  const given = Object.entries(words).map(([field, { value }]) =>
    places.includes(field)
      ? `\`${value}\``
      : `\`${[`--${toKebabCase(field)}`, value].filter(Boolean).join(' ')}\``,
  )
  return `| \`${name}\` | ${about} | ${given.join(', ').replaceAll('|', '\\|')} |`
}
