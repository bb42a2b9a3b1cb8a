import { MediaSource, type Network } from '../../sources/media/media-source.ts'
import type { MediaFetching } from '../../sources/media/settings.ts'
import type { MediaStore } from '../../storage/media-store.ts'
import type { ArchivePolicy } from './archive-policy.ts'

/** Makes copies of media. One for each process: it limits concurrent requests to the same host. */
export interface MediaArchive {
  policy: ArchivePolicy
  store: MediaStore
  source: MediaSource
}

/** Opens the archive of media. @param network how hosts are resolved and connected to, where not over the internet: for tests */
export function mediaArchiveOn(
  store: MediaStore,
  { keep, ...fetching }: MediaFetching & { keep: ArchivePolicy },
  network?: Network,
): MediaArchive {
  const { hosts, maxBytes, timeoutSeconds } = fetching
  return { policy: keep, store, source: new MediaSource({ hosts, maxBytes, timeoutSeconds }, network) }
}
