import { mappableFields } from '../src/ingest/mapping/mappable-fields.ts'

const begins = '<!-- from src/ingest/mapping/mappable-fields.ts -->'
const ends = '<!-- to here -->'

/** The page about imports, with the fields that a mapping of each kind can name. */
export function withMappableFields(page: string): string {
  const [before, rest = ''] = page.split(begins)
  const [, after] = rest.split(ends)
  if (after === undefined) throw new Error('docs/imports.md has no place for the fields of mappings')
  return `${before}${begins}\n${Object.entries(mappableFields).map(tableOf).join('\n')}${ends}${after}`
}

const tableOf = ([kind, fields]: [string, Readonly<Record<string, string>>]) =>
  [
    `### Fields of ${kind}\n\n| field | what it is |\n| --- | --- |\n`,
    ...Object.entries(fields).map(
      ([field, meaning]) => `| \`${field}\` | ${meaning.replaceAll(/[<|]/g, '\\$&')} |\n`,
    ),
  ].join('')
