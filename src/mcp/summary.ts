import type { Outcome } from '../api/door.ts'
import type { Operation } from '../contract/operation.ts'
import type { ShowingCall } from '../contract/showing-call.ts'
import { takesFields } from './reply-form.ts'

type Reply = Readonly<Record<string, unknown>>

/** A few lines for users: what was found, how much of it, what comes next. */
export function summaryOf(
  operation: Operation,
  ending: Outcome['ending'],
  reply: Reply,
  next: ShowingCall | undefined,
): string {
  const lines = [ended[ending], operation.list ? listLine(reply, operation.list.at) : nameLine(reply)]
  if (typeof reply.nextCursor === 'string') lines.push('More: call again with `cursor` set to `nextCursor`.')
  if ('leftOut' in reply && takesFields(operation))
    lines.push('`leftOut` names what is not shown; ask for it with `fields`, or ["*"].')
  if (next) lines.push(nextLine(next))
  for (const { text } of troublesOf(reply)) lines.push(`Trouble: ${text}`)
  return lines.filter((line) => line !== '').join('\n')
}

const ended: Record<Outcome['ending'], string> = {
  read: '',
  created: 'Recorded.',
  known: 'It was recorded already.',
  accepted: 'Accepted: work is under way.',
  done: 'This work has ended already.',
  removed: 'Removed, or there was nothing left to remove.',
}

function listLine(reply: Reply, at: string): string {
  const items = reply[at] as readonly unknown[]
  if (items.length === 0) return `No ${at} stored that match.`
  const { total } = reply as { total?: { value: number; relation: string } }
  if (!total) return `${items.length} ${at}.`
  return `${items.length} ${at} of ${total.relation === 'exact' ? '' : 'at least '}${total.value}.`
}

/** The subject of a reply: its first few scalar values. */
function nameLine(reply: Reply): string {
  const label = reply.app as { name?: unknown } | undefined
  const plain = Object.entries(reply).filter(
    ([, value]) => typeof value === 'number' || (typeof value === 'string' && value.length <= 80),
  )
  const named = typeof label?.name === 'string' ? [['app', label.name] as const, ...plain] : plain
  return named
    .slice(0, 5)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}

function nextLine({ tool, arguments: given, at }: ShowingCall): string {
  return `Its state: ${tool} ${JSON.stringify(given)}${at ? `, at \`${at}\`` : ''}.`
}

function troublesOf({ trouble }: Reply): { text: string }[] {
  return Array.isArray(trouble) ? trouble : []
}
