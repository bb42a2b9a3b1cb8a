import { areas } from '../src/contract/contract.ts'
import type { Operation } from '../src/contract/operation.ts'
import { type ProblemCode, problems } from '../src/contract/problems.ts'
import type { OpenApiDocument, OpenApiOperation } from '../src/http/openapi.ts'
import { problemsOf } from '../src/http/openapi-problems.ts'
import type { Schema } from '../src/http/openapi-shapes.ts'

const generated =
  '<!-- Written from the contract by scripts/write-reference.ts: change the contract, not this page. -->'

/** Every problem under a heading of its own. */
export function problemsMarkdown(): string {
  const sections = Object.entries(problems).map(
    ([code, { status, title, explanation }]) => `## ${code}\n\n**${title}** (${status})\n\n${explanation}\n`,
  )
  return [generated, '', '# Problems', '', ...sections].join('\n')
}

/** Every operation under a heading of its own, by area, with its parameters, its reply and its problems. */
export function referenceMarkdown(document: OpenApiDocument): string {
  const sections = Object.entries(areas).flatMap(([area, { title, operations }]) => [
    `## ${title}\n\n${document.tags.find(({ name }) => name === area)?.description}\n`,
    ...Object.entries<Operation>(operations).map(([tool, row]) => section(tool, row, document)),
  ])
  return [generated, '', '# Reference', '', introduction(document), '', ...sections].join('\n')
}

function introduction({ info }: OpenApiDocument): string {
  return String(info.description).replaceAll('](/docs/problems)', '](problems.md)')
}

function section(tool: string, row: Operation, document: OpenApiDocument): string {
  const operation = document.paths[row.path]?.[row.method.toLowerCase()]
  if (!operation) throw new Error(`The document has no ${tool}.`)
  return `### ${tool}

\`${row.method} ${row.path}\` · scope \`${row.scope}\`

${row.summary}

${row.description}

${parameterTable(operation, document)}${reply(operation)}

${samples(operation)}

Problems: ${problemsOf(row).map(problemLink).join(', ')}.
`
}

function parameterTable(operation: OpenApiOperation, document: OpenApiDocument): string {
  const parameters = (operation.parameters ?? []).flatMap((parameter) =>
    'name' in parameter ? [rowOf(parameter.name, parameter.in, parameter, parameter.schema, document)] : [],
  )
  const body = operation.requestBody?.content['application/json']?.schema
  const properties = Object.entries(body?.properties ?? {}).map(([name, schema]) =>
    rowOf(
      name,
      'body',
      { required: body?.required?.includes(name) ?? false, description: undefined },
      schema,
      document,
    ),
  )
  const rows = [...parameters, ...properties]
  if (rows.length === 0) return ''
  return `| name | in | value | when left out | meaning |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}\n\n`
}

function rowOf(
  name: string,
  place: string,
  { required, description }: { required: boolean; description: string | undefined },
  schema: Schema,
  document: OpenApiDocument,
): string {
  const missing = required ? 'refused' : 'default' in schema ? `\`${JSON.stringify(schema.default)}\`` : ''
  const meaning = description ?? schema.description ?? resolve(schema, document).description ?? ''
  const cells = [`\`${name}\``, place, inWords(schema, document), missing, meaning]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}

/** Describes the values of a schema. */
function inWords(schema: Schema, document: OpenApiDocument): string {
  const { type, enum: words, items, format, anyOf } = resolve(schema, document)
  if (words && words.length > 30) return `one of ${words.length} words, such as \`${words[0]}\``
  if (words) return words.map((word) => `\`${word}\``).join(', ')
  if (items) return `list of: ${inWords(items, document)}`
  if (Array.isArray(anyOf)) return anyOf.map((each: Schema) => inWords(each, document)).join(' or ')
  return [format ?? String(type), range(resolve(schema, document))].filter(Boolean).join(' ')
}

function range({ minimum, maximum, maxLength }: Schema): string {
  if (maxLength !== undefined) return `up to ${maxLength} characters`
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  return minimum === undefined ? '' : `from ${minimum}`
}

function resolve(schema: Schema, document: OpenApiDocument): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return (name && document.components.schemas[name]) || schema
}

function reply({ responses }: OpenApiOperation): string {
  const good = Object.entries(responses).filter(([status]) => status < '300')
  const shape = JSON.stringify(good).match(/"#\/components\/schemas\/([^"]+)"/)?.[1]
  const statuses = good.map(([status]) => status).join(' or ')
  return shape ? `Answers ${statuses}: \`${shape}\`.` : `Answers ${statuses}.`
}

function samples({ 'x-codeSamples': all }: OpenApiOperation): string {
  const fence = { Shell: 'sh', TypeScript: 'ts' } as const
  return all.map(({ lang, source }) => `\`\`\`${fence[lang]}\n${source}\n\`\`\``).join('\n\n')
}

function problemLink(code: ProblemCode): string {
  return `[\`${code}\`](problems.md#${code})`
}
