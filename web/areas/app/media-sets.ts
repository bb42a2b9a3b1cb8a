import type { ReplyOf } from '../../api/operations.ts'
import { type MediaItem, mediaDeviceInWords } from './choices.ts'

type Media = ReplyOf<'get_competitor_media'>
export type MediaChange = Media['changes'][number]
export type MediaCoverage = Media['coverage'][number]

/** The set of a picture or film: `screenshot` of `iphone`. */
type SetKey = Pick<MediaItem, 'kind' | 'device'>

/** `iPhone screenshots`, `Icon`. */
export function setName({ kind, device }: SetKey): string {
  if (kind === 'icon') return 'Icon'
  return `${mediaDeviceInWords[device]} ${kind}s`
}

/** `iPhone screenshot 3`, `Icon`. */
export const itemName = ({ kind, device, position }: MediaItem): string =>
  kind === 'icon' ? 'Icon' : `${mediaDeviceInWords[device]} ${kind} ${position}`

/** Whether something passes the filters. An icon belongs to every device. */
export const matchesFilters = (
  { kind, device }: SetKey,
  chosen: { kind?: MediaItem['kind'] | undefined; device?: MediaItem['device'] | undefined },
): boolean =>
  (chosen.kind === undefined || chosen.kind === kind) &&
  (chosen.device === undefined || chosen.device === device || device === 'any')

/** Items by the set they belong to, in the order in which the sets first occur. */
export function groupBySet(items: readonly MediaItem[]): { name: string; items: MediaItem[] }[] {
  return [...Map.groupBy(items, setName)].map(([name, members]) => ({ name, items: members }))
}
