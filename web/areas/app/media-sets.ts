import type { ReplyOf } from '../../api/operations.ts'
import { type MediaItem, mediaDeviceInWords } from './choices.ts'

type Media = ReplyOf<'get_competitor_media'>
export type MediaChange = Media['changes'][number]
export type MediaCoverage = Media['coverage'][number]

/** The set of a picture or film: `screenshot` of `iphone`. */
type SetKey = Pick<MediaCoverage, 'kind' | 'device'>

const namesWithoutDevice: { readonly [Kind in SetKey['kind']]?: string } = {
  icon: 'Icon',
  header: 'Page header',
  'search-result': 'Search result media',
  event: 'In-app events',
  'product-page': 'Custom product pages',
}

/** `iPhone screenshots`, `Icon`. */
export function setName({ kind, device }: SetKey): string {
  return namesWithoutDevice[kind] ?? `${mediaDeviceInWords[device]} ${kind}s`
}

/** `iPhone screenshot 3`, `Icon`. */
export const itemName = ({ kind, device, position }: MediaItem): string =>
  kind === 'icon'
    ? 'Icon'
    : device === 'any'
      ? `${setName({ kind, device })} ${position}`
      : `${mediaDeviceInWords[device]} ${kind} ${position}`

/** Why a change of pictures may be none. */
export const notComparedText = 'The image addresses changed; the images themselves were not compared.'

/** Whether something passes the filters. What names no device belongs to every one. */
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
