/**
 * Writes docs/api and the client's table of routes from the contract, docs/jobs.md and the table in docs/cli.md from the rows
 * of jobs and commands, the fields of mappings in docs/imports.md, the table in docs/models/README.md from the results beside it,
 * and web/texts.md from the sources of the pages. With `--check` writes nothing, names the files that differ and exits with 1, so
 * that every change of the contract also changes its reference.
 */
import { readFile } from 'node:fs/promises'
import { openApiDocument } from '../src/http/openapi.ts'
import { clientRoutes } from './client-routes.ts'
import { jobsMarkdown } from './jobs-markdown.ts'
import { withMappableFields } from './mappings-markdown.ts'
import { modelsPage, withResultsTable } from './models-markdown.ts'
import { withOperatorTable } from './operator-markdown.ts'
import { problemsMarkdown } from './problems-markdown.ts'
import { textsMarkdown } from './texts-markdown.ts'
import { writeChanged } from './write-changed.ts'

const files = {
  'docs/api/openapi.json': `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  'docs/api/problems.md': problemsMarkdown(),
  'docs/cli.md': await withOperatorTable(await readFile(new URL('../docs/cli.md', import.meta.url), 'utf8')),
  'docs/imports.md': withMappableFields(await readFile(new URL('../docs/imports.md', import.meta.url), 'utf8')),
  'docs/jobs.md': jobsMarkdown(),
  'docs/models/README.md': await withResultsTable(await readFile(modelsPage, 'utf8')),
  'src/client/routes.json': aLineEach(clientRoutes()),
  'web/texts.md': textsMarkdown(),
}

const check = process.argv.includes('--check')
for (const [name, text] of Object.entries(files)) {
  const file = new URL(`../${name}`, import.meta.url)
  if (!check) {
    await writeChanged(file, text)
    continue
  }
  const line = firstDifference(await readFile(file, 'utf8').catch(() => ''), text)
  if (line === undefined) continue
  process.stderr.write(`${name} differs from the code from line ${line} on: npm run record -- reference\n`)
  process.exitCode = 1
}

/** JSON with one line for each key, so that a difference is read by operation. */
function aLineEach(table: Record<string, object>): string {
  const lines = Object.entries(table).map(([key, row]) => `  ${JSON.stringify(key)}: ${JSON.stringify(row)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

function firstDifference(stands: string, wanted: string): number | undefined {
  if (stands === wanted) return undefined
  const lines = stands.split('\n')
  return wanted.split('\n').findIndex((line, index) => line !== lines[index]) + 1 || lines.length
}
