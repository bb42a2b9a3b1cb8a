import { problems } from '../src/contract/problems.ts'

/** Every problem under a heading of its own. */
export function problemsMarkdown(): string {
  const sections = Object.entries(problems).map(
    ([code, { status, title, explanation }]) => `## ${code}\n\n**${title}** (${status})\n\n${explanation}\n`,
  )
  return [
    '<!-- Written from src/contract/problems.ts by `npm run record -- reference`. -->',
    '',
    '# Problems',
    '',
    ...sections,
  ].join('\n')
}
