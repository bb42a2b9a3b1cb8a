import type { Logger } from 'pino'
import { connectionFailureReason } from './http/logs.ts'
import { Replica, type ReplicaListener } from './storage/replica.ts'

/** Opens the replicas; one that does not answer is told of and looked for, and the service starts without it. */
export async function openReplicas(
  urls: readonly string[],
  logger: Logger,
  opened: AsyncDisposableStack,
): Promise<Replica[]> {
  const told: ReplicaListener = {
    lost: (replica, error) =>
      logger.warn(
        { replica, reason: connectionFailureReason(error) },
        'a replica is lost, and its reads are made elsewhere',
      ),
    behind: (replica) =>
      logger.warn({ replica }, 'a replica is behind, and its reads are made elsewhere until it has caught up'),
    back: (replica) => logger.info({ replica }, 'a replica is back'),
  }
  const replicas = urls.map((url) => opened.use(new Replica(url, 'rivalscope serve', told)))
  await Promise.all(replicas.map((replica) => replica.open()))
  return replicas
}
