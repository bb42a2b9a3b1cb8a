import type { Block, Cell } from '../blocks.ts'
import { cellOf } from '../cells.ts'
import { bytes, seconds } from '../numbers.ts'
import { appNameOf, optionalSection, pairBlocks, quietBlock, table, textCell } from './parts.ts'
import type { ReplyOf } from './view.ts'

/** The fields shared by posts and ads. */

type Post = ReplyOf<'search_organic_content'>['items'][number]

const attributionWords: Record<string, string> = {
  'store-url': 'store address in',
  'known-handle': 'known account,',
  'named-app': 'named by its library:',
  'landing-url': 'leads to',
  'declared-handle': 'declared account,',
  'advertiser-link': 'advertiser linked by hand,',
  manual: 'linked by hand,',
}

export function linkBlocks(links: Post['links']): Block[] {
  return optionalSection(
    'Belongs to',
    '',
    table(links, [
      { title: 'store id', cell: ({ app }) => app.storeId, stays: 1 },
      { title: 'app', cell: ({ app }) => textCell(appNameOf(app)), stays: 2 },
      {
        title: 'because',
        wraps: true,
        cell: ({ grounds }) =>
          textCell(
            grounds
              .map(
                ({ kind, text: on, foundIn }) =>
                  `${attributionWords[kind] ?? kind} ${kind === 'store-url' ? `${foundIn}: ` : ''}${on}`,
              )
              .join('; '),
          ),
        stays: 3,
      },
      { title: 'since', cell: ({ linkedAt }) => linkedAt },
    ]),
  )
}

interface Mediated {
  mediaStatus: Post['mediaStatus']
  media: Post['media']
}

export function mediaBlocks({ mediaStatus, media }: Mediated): Block[] {
  const status = mediaStatus.status.replaceAll('-', ' ')
  if (media.length === 0)
    return pairBlocks([['media', textCell(mediaStatus.reason ? `${status}: ${mediaStatus.reason}` : status)]])
  return optionalSection(
    'Media',
    status,
    table(media, [
      { title: '#', cell: ({ position }) => position },
      { title: 'kind', cell: ({ kind }) => kind, stays: 1 },
      { title: 'pixels', cell: pixels, stays: 3 },
      {
        title: 'length',
        cell: ({ durationSeconds, kind }) => (kind === 'video' ? durationSeconds : null),
        name: 'seconds',
        stays: 4,
      },
      {
        title: 'copy',
        cell: ({ kept }) =>
          kept.status === 'stored'
            ? textCell(`${bytes(kept.sizeBytes)} at ${kept.url}`)
            : textCell([kept.status.replaceAll('-', ' '), kept.reason].filter(Boolean).join(': '), 'quiet'),
        stays: 2,
      },
    ]),
  )
}

function pixels({ width, height }: Post['media'][number]): Cell {
  return width.state === 'measured' && height.state === 'measured'
    ? textCell(`${width.value} x ${height.value}`)
    : cellOf(width)
}

interface Mark {
  savedAt: string
  note: string | null
  tags: string[]
}

export const savedMarkPairs = ({ savedAt, note, tags }: Mark): Block[] =>
  pairBlocks([
    ['saved', savedAt],
    ['note', note],
    ['tags', textCell(tags.join(', '))],
  ])

export const savedBlocks = (saved: Mark | null): Block[] =>
  saved ? savedMarkPairs(saved) : [quietBlock('not saved by this account')]

export const playbackTime = (at: number): string => {
  const whole = Math.floor(at)
  return at < 60
    ? seconds(Math.round(at * 10) / 10)
    : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
