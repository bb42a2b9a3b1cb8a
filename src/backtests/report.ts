import { baselineOf, figureOf, isSeries, markdownTable, recordsTable } from './markdown.ts'
import type { Detail } from './outcome.ts'
import { pictureOf } from './picture.ts'
import type { BacktestRecord } from './record.ts'

/** What `report.json` says it is, by which a folder is known for one of ours. */
export const reportKind = 'rivalscope-backtest'

const warning = '**The store holds made-up evidence: these figures say nothing about real apps.**'

/** The files of a report by their names: `report.md`, `report.json` and the pictures of the first. @param madeUp whether the store holds evidence that was made up */
export function reportFiles(
  records: readonly BacktestRecord[],
  at: Date,
  madeUp: boolean,
): Map<string, string> {
  const files = new Map<string, string>()
  const sections = records.map((record) => sectionOf(record, files))
  const table = recordsTable(records, ({ model }) => model)
  files.set(
    'report.md',
    `# Backtests\n\n${at.toISOString()}${madeUp ? `. ${warning}` : ''}\n\n${table}\n${sections.join('')}`,
  )
  const names = [...files.keys(), 'report.json']
  const json = { kind: reportKind, madeAt: at.toISOString(), madeUp, files: names, results: records }
  files.set('report.json', `${JSON.stringify(json, null, 2)}\n`)
  return files
}

function sectionOf(record: BacktestRecord, files: Map<string, string>): string {
  const { model, formula, measure, better, data, command, outcome } = record
  const facts = [
    `Figure: ${figureOf(record)}.`,
    ...(outcome.state === 'definition'
      ? []
      : [`Measure: ${measure} (${better} is better).`, `Baseline: ${baselineOf(record)}.`, `Data: ${data}.`]),
    ...(outcome.state === 'measured' ? [`Cases: ${outcome.cases}, left out: ${outcome.leftOut}.`] : []),
    `Again: \`${command}\`.`,
  ].map((fact) => `- ${fact.replace(/\.\.$/, '.')}`)
  const details = outcome.state === 'measured' ? outcome.details : []
  const parts = details.map((detail, index) => partOf(detail, `${model}-${index + 1}.svg`, files))
  return `\n## ${model} (\`${formula}\`)\n\n${facts.join('\n')}\n${parts.join('')}`
}

function partOf(detail: Detail, name: string, files: Map<string, string>): string {
  if (!isSeries(detail)) return `\n### ${detail.title}\n\n${markdownTable(detail.columns, detail.rows)}\n`
  files.set(name, pictureOf(detail))
  return `\n### ${detail.title}\n\n![${detail.title.replaceAll(/[[\]\n]/g, ' ')}](${name})\n`
}
