import type { Block } from '../blocks.ts'
import { cellOf } from '../cells.ts'
import { appTitle, optionalSection, otherStorefrontBlocks, table, textCell } from './parts.ts'
import type { ReplyOf, ViewOf } from './view.ts'

type Media = ReplyOf<'get_competitor_media'>

export const listingMediaView = {
  get_competitor_media: {
    head: ({ app, country, alsoIn }) => [appTitle(app, country), ...otherStorefrontBlocks({ alsoIn })],
    columns: {
      kind: { stays: 1 },
      device: { stays: 2 },
      position: { title: '#', stays: 3 },
      current: {
        title: 'shown',
        cell: ({ current, firstSeenAt, lastSeenAt }) => ({
          ...textCell(
            `${firstSeenAt.slice(0, 10)} to ${current ? 'now' : lastSeenAt.slice(0, 10)}`,
            current ? undefined : 'quiet',
          ),
          whole: true,
        }),
        stays: 4,
      },
      firstSeenAt: { hidden: true },
      lastSeenAt: { hidden: true },
      size: {
        title: 'pixels',
        cell: ({ width, height }) => textCell(width && height ? `${width} x ${height}` : ''),
        stays: 6,
      },
      'kept.status': { title: 'copy', stays: 5 },
      url: { title: 'address', stays: 7 },
    },
    foot: (reply) => [
      ...optionalSection('Changes', '', mediaChanges(reply)),
      ...optionalSection('Looked for', '', mediaCoverage(reply)),
    ],
    empty: () => 'No media of this listing is stored; what was looked for is said below.',
  } satisfies ViewOf<'get_competitor_media'>,
}

function mediaChanges({ changes }: Media): Block[] {
  return table(changes, [
    { title: 'seen', cell: ({ at }) => at, stays: 1 },
    { title: 'kind', cell: ({ kind }) => kind, stays: 2 },
    { title: 'device', cell: ({ device }) => device, stays: 3 },
    {
      title: 'what',
      cell: ({ comparison }) =>
        comparison === 'changed' ? textCell('changed') : textCell('pictures may differ, not compared', 'quiet'),
      stays: 6,
    },
    { title: 'added', cell: ({ added }) => ({ ...cellOf(added.length), tone: 'good' }), stays: 4 },
    { title: 'removed', cell: ({ removed }) => ({ ...cellOf(removed.length), tone: 'bad' }), stays: 5 },
    { title: 'reordered', cell: ({ reordered }) => reordered },
  ])
}

function mediaCoverage({ coverage }: Media): Block[] {
  return table(coverage, [
    { title: 'kind', cell: ({ kind }) => kind, stays: 1 },
    { title: 'device', cell: ({ device }) => device, stays: 2 },
    {
      title: 'outcome',
      cell: ({ state }) =>
        state === 'measured'
          ? textCell('there', 'good')
          : state === 'absent'
            ? textCell('looked for, none', 'quiet')
            : textCell('nobody has looked', 'warning'),
      stays: 3,
    },
    { title: 'last looked', cell: ({ lastLookedAt }) => lastLookedAt, stays: 4 },
    { title: 'sources', cell: ({ sources }) => sources },
  ])
}
