import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { clusterDirectory } from './cluster.ts'
import { isMarkedRunning } from './running-mark.ts'
import { connectToSupervisor } from './supervisor-address.ts'

/**
 * Whether nobody uses an embedded store that was in use when its processes ended, as after a power cut. PostgreSQL recovers it when it
 * is opened next.
 */
export async function wasLeftRunning(dataDir: string): Promise<boolean> {
  const directory = resolve(dataDir)
  if (!existsSync(clusterDirectory(directory)) || !isMarkedRunning(directory)) return false
  try {
    const socket = await connectToSupervisor(directory)
    socket.destroy()
    return false
  } catch {
    return true
  }
}
