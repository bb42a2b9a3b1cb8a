import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Order } from './commands.ts'
import type { Progress, Terminal } from './terminal.ts'

/** An order with the directory its paths are relative to. */
export type Sent = Order & { directory: string }

/** What the process that holds the store says of it. */
export type Said = { out: string } | { note: string } | { progress: Progress } | { end: 0 | 1 }

/** The process that holds the store takes no orders. */
export class NoOperatorSocketError extends Error {}

/**
 * Hands an order to the process that holds the store, and speaks for it here.
 * @throws NoOperatorSocketError before anything of standard input is read
 */
export async function sendOrder(
  path: string,
  sent: Sent,
  terminal: Terminal,
  stdin: Readable | undefined,
  signal: AbortSignal,
  onConnected: () => void,
): Promise<0 | 1> {
  const connection = await connected(path)
  onConnected()
  // A connection that the other end closes while more is coming in loses what it has said: it is closed here.
  const headers = { connection: 'keep-alive' }
  const call = request({ createConnection: () => connection, method: 'POST', path: '/', headers, signal })
  // Once the answer has begun, the answer itself breaks off when the other end goes away.
  call.on('error', () => {})
  call.write(`${JSON.stringify(sent)}\n`)
  if (stdin) stdin.pipe(call)
  else call.end()
  try {
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    const end = await relay(answer, terminal)
    if (end !== undefined) return end
  } catch {
    // What follows says it.
  } finally {
    // Nobody reads on, though more may be coming in.
    stdin?.destroy()
    call.destroy()
  }
  terminal.note(
    signal.aborted
      ? 'Interrupted. What was stored stays; run the same command again to go on.'
      : 'The serving process went away before the command ended. Run it again to go on.',
  )
  return 1
}

/** @returns how the command ended; undefined when the answer ends without saying it */
async function relay(answer: IncomingMessage, terminal: Terminal): Promise<0 | 1 | undefined> {
  for await (const line of createInterface({ input: answer })) {
    const said = JSON.parse(line) as Said
    if ('out' in said) terminal.out(said.out)
    else if ('note' in said) terminal.note(said.note)
    else if ('progress' in said) terminal.progress(said.progress)
    else return said.end
  }
  return undefined
}

async function connected(path: string): Promise<Socket> {
  const connection = connect(path)
  try {
    await once(connection, 'connect')
    return connection
  } catch {
    // Absent, left by a process that was killed, or somebody else's: whoever opens the store then learns which.
    throw new NoOperatorSocketError()
  }
}
