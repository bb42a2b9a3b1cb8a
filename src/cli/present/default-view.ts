import type { Tool } from '../../contract/contract.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Block } from './blocks.ts'
import type { JsonObject } from './cells.ts'
import { isApp, recordSections } from './record.ts'
import {
  appNameOf,
  appTitle,
  isLocalized,
  isTotal,
  localizationBlocks,
  matchCountTitle,
  otherStorefrontBlocks,
  textBlock,
  title,
} from './views/parts.ts'

/** The parts before and after the table of a list; a reply without a list has only the part before. */
export interface BlocksAroundList {
  head: Block[]
  foot: Block[]
}

/**
 * The default layout of a reply: its subject as the title, then plain values, the table of its list with the row's
 * `summaryColumns`, and nested values as sections.
 */
export function blocksAroundListOf(
  tool: Tool,
  operation: Operation,
  reply: JsonObject,
  noun?: string,
): BlocksAroundList {
  const { list, ending, summary } = operation
  if (ending === 'remove')
    return { head: [textBlock(`Done: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`)], foot: [] }
  const { heading, rest } = headingOf(tool, operation, reply, noun)
  const { lines, sections } = recordSections(rest)
  if (!list && lines.length + sections.length === 0) throw new TypeError('a reply that says nothing')
  return list
    ? { head: [...heading, ...lines], foot: sections }
    : { head: [...heading, ...lines, ...sections], foot: [] }
}

/** The title of a reply: the app, the number of matches, or what was done; with the values not yet shown. */
function headingOf(tool: Tool, { method, list }: Operation, reply: JsonObject, noun = 'found') {
  const { app, term, total, alsoIn, country } = reply
  const where = typeof country === 'string' ? country : ''
  const also = [
    ...(Array.isArray(alsoIn) ? otherStorefrontBlocks({ alsoIn }) : []),
    ...(isLocalized(reply) ? localizationBlocks(reply) : []),
  ]
  const rest = without(reply, [
    'asOf',
    'country',
    'alsoIn',
    'localizations',
    'localization',
    'total',
    ...(list ? [list.at] : []),
  ])
  if (isApp(app)) {
    const name = method === 'GET' ? appNameOf(app) : `${subjectOf(tool)}: ${appNameOf(app)}`
    return { heading: [appTitle({ ...app, name }, where), ...also], rest: without(rest, ['app']) }
  }
  if (typeof term === 'string')
    return { heading: [title(`${subjectOf(tool)}: ${term}`, where)], rest: without(rest, ['term']) }
  const items = list ? reply[list.at] : []
  const shown = Array.isArray(items) ? items.length : 0
  return {
    heading: [isTotal(total) ? matchCountTitle(total, shown, noun) : title(subjectOf(tool), where)],
    rest,
  }
}

/** The title of `list_saved_organic_content` is "saved organic content"; other operations keep their verb. */
function subjectOf(tool: Tool): string {
  const words = tool
    .replace(/^admin_/, '')
    .replace(/^(get|list|search)_/, '')
    .replaceAll('_', ' ')
    .replaceAll(/\baso\b/g, 'ASO')
    .replaceAll(/\bios\b/g, 'iOS')
  return words.startsWith('iOS') ? words : words.charAt(0).toUpperCase() + words.slice(1)
}

const without = (record: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
