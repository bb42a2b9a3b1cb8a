import { jobKinds } from '../src/jobs/job-kinds.ts'

/** The page with the table of jobs, for operators. */
export function jobsMarkdown(): string {
  const rows = jobKinds.map(({ name, does, atATime, queue, unit, addDue }) =>
    row(
      name,
      does,
      name === 'schedule' ? 'each minute' : addDue ? 'schedule' : 'asked for',
      String(atATime),
      attempts(queue.retryLimit),
      unit ?? '–',
    ),
  )
  return `# Jobs

What takes time is a job in a queue of its kind, in the store. \`rivalscope serve\` works on jobs unless told not to
(\`--work off\`); \`rivalscope work\` does nothing else, and any number of both may run. A job whose process ends is taken up by
another one within seconds. What is asked for a second time while it waits or runs is one job. A worker
is told of new jobs at once where it reaches PostgreSQL directly, and looks for them every second everywhere.

A job whose input this version does not read ends as failed at once, and says which kind it is of and what is wrong; work
that people are told of ends with \`unreadable-input\`.

${row('kind', 'what it does', 'begins', 'at a time', 'attempts', 'progress in')}
${row('---', '---', '---', '---', '---', '---')}
${rows.join('\n')}

"At a time" is by process. "Schedule" is added when it falls due ([collecting.md](collecting.md)), "asked for" by an
operation, a command or another job; what is work can be both. Attempts of work that people are told of
are ten, counted over processes; what another attempt would meet again ends it earlier. All kinds: \`src/jobs/job-kinds.ts\`.
`
}

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`

/** Work counts its own attempts, so its queue has a very high limit. */
const attempts = (retryLimit = 0) => (retryLimit > 100 ? '10' : String(retryLimit + 1))
