import type { Block } from '../blocks.ts'
import { cellOf } from '../cells.ts'
import { appTitle, factPairs, optionalSection, otherStorefrontBlocks, table, textCell } from './parts.ts'
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
      ...optionalSection('In-app events', '', events(reply)),
      ...optionalSection('Custom product pages', 'to which stored ads and posts lead', productPages(reply)),
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

function events({ events }: Media): Block[] {
  return table(events, [
    { title: 'event', cell: ({ name }) => name, stays: 1 },
    {
      title: 'state',
      cell: ({ state }) => textCell(state, state === 'taken-down' ? 'warning' : undefined),
      stays: 2,
    },
    { title: 'starts', cell: ({ startsAt }) => startsAt, stays: 3 },
    { title: 'ends', cell: ({ endsAt }) => endsAt ?? textCell('not stated', 'quiet'), stays: 4 },
    { title: 'kind', cell: ({ kind }) => kind, stays: 5 },
    { title: 'says', cell: ({ shortDescription, description }) => shortDescription ?? description, stays: 6 },
  ])
}

function productPages({ productPages }: Media): Block[] {
  return table(productPages, [
    { title: 'page', cell: ({ productPageId }) => productPageId, stays: 1 },
    { title: 'named by', cell: ({ seen }) => seen.map(namedBy).join(', '), stays: 2 },
    { title: 'first seen', cell: ({ firstSeenAt }) => firstSeenAt, stays: 4 },
    { title: 'last seen', cell: ({ lastSeenAt }) => lastSeenAt, stays: 3 },
  ])
}

const namedBy = ({ on, kind, count, brought }: Media['productPages'][number]['seen'][number]) =>
  `${count} ${on} ${kind}${count === 1 ? '' : 's'}${brought ? ', brought by accounts' : ''}`

function mediaCoverage({ coverage }: Media): Block[] {
  const unknown = coverage.filter(({ state }) => state === 'not-measured')
  const looked = coverage.filter(({ state }) => state !== 'not-measured')
  return [
    ...lookedFor(looked),
    ...factPairs(
      unknown.map(({ kind, device, reason }) => [nameOf(kind, device), { state: 'not-measured', reason }]),
    ),
  ]
}

const nameOf = (kind: string, device: string) => (device === 'any' ? kind : `${kind} of ${device}`)

function lookedFor(coverage: Media['coverage']): Block[] {
  return table(coverage, [
    { title: 'kind', cell: ({ kind }) => kind, stays: 1 },
    { title: 'device', cell: ({ device }) => device, stays: 2 },
    {
      title: 'outcome',
      cell: ({ state }) =>
        state === 'measured' ? textCell('there', 'good') : textCell('looked for, none', 'quiet'),
      stays: 3,
    },
    { title: 'last looked', cell: ({ lastLookedAt }) => lastLookedAt, stays: 4 },
    { title: 'sources', cell: ({ sources }) => sources },
  ])
}
