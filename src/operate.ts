import type { Readable } from 'node:stream'
import type { ServiceConfig } from './app.ts'
import type { Order } from './operator/commands.ts'
import { NoOperatorSocketError, type Sent, sendOrder } from './operator/send-order.ts'
import type { Terminal } from './operator/terminal.ts'
import { StoreHeldError, socketOf } from './storage/data-directory.ts'
import type { StoreLocation } from './storage/store.ts'

/**
 * Performs a command of the operator: in the process that holds the store, else here. That process is asked first, since
 * asking takes a tenth of the time in which the parts for performing it here are loaded.
 * @throws StoreHeldError when that process takes no orders
 */
export async function operate(
  location: StoreLocation,
  parts: Pick<ServiceConfig, 'configuration' | 'mediaDirectory'>,
  order: Order,
  terminal: Terminal,
  stdin: Readable | undefined,
  signal: AbortSignal,
): Promise<0 | 1> {
  const sent = { ...order, directory: process.cwd() }
  const handedOver = await handOver(location, sent, terminal, stdin, signal)
  if (handedOver !== undefined) return handedOver
  const { operateHere } = await import('./operate-here.ts')
  try {
    return await operateHere(location, parts, sent, terminal, stdin, signal)
  } catch (error) {
    if (!(error instanceof StoreHeldError)) throw error
    // It may have begun to listen only now.
    const end = await handOver(location, sent, terminal, stdin, signal)
    if (end === undefined) throw error
    return end
  }
}

/** @returns undefined when nobody takes orders for the store */
async function handOver(
  location: StoreLocation,
  sent: Sent,
  terminal: Terminal,
  stdin: Readable | undefined,
  signal: AbortSignal,
): Promise<0 | 1 | undefined> {
  if (!('dataDir' in location)) return undefined
  const note = () => {
    if (sent.command.startsWith('collect '))
      terminal.note('Another process holds the store: it asks, with the configuration it was started with.')
  }
  try {
    return await sendOrder(socketOf(location.dataDir), sent, terminal, stdin, signal, note)
  } catch (error) {
    if (error instanceof NoOperatorSocketError) return undefined
    throw error
  }
}
