import type { Block } from '../blocks.ts'
import { minute, number } from '../numbers.ts'
import { found } from './listing-facts.ts'
import { coverageLines } from './paid-ads.ts'
import { nameOf, pairs, part, table, text, title, words, workLines } from './parts.ts'
import type { ReplyOf, ViewOf } from './view.ts'

type Preview = ReplyOf<'admin_preview_paid_ads'>
type Run = ReplyOf<'admin_get_paid_ad_import'>
type Query = Preview['query']

export const adImports = {
  admin_search_paid_ad_advertisers: {
    head: ({ lookups }) => [title('Advertisers'), ...lookupLines(lookups)],
    columns: {
      advertiserId: { stays: 1 },
      name: { stays: 2 },
      storedAds: { title: 'ads here', stays: 3 },
      foundIn: { title: 'found', cell: ({ foundIn }) => words(foundIn.join(', ')), stays: 4 },
      apps: { title: 'apps', cell: ({ linkedApps }) => words(linkedApps.map(nameOf).join(', ')), stays: 5 },
    },
    empty: () => 'No advertiser of that name is stored, and none was answered.',
  } satisfies ViewOf<'admin_search_paid_ad_advertisers'>,

  admin_preview_paid_ads: {
    head: (preview) => [
      title('Preview', `${preview.platform}: nothing was written`),
      ...pairs([
        ['asked for', queryWords(preview.query, preview.origin)],
        ['would read', words(found(preview.matching, 'ad'))],
        [
          'of those seen',
          words(
            `${number(preview.examined.new)} new, ${number(preview.examined.changed)} changed, ${number(preview.examined.known)} known, ${number(preview.examined.rejected)} refused`,
          ),
        ],
        [
          'requests',
          words(
            `${number(preview.requestsUsed)} used, ${found(preview.requestsNeeded, 'more')}`.replace(
              / mores?$/,
              ' for the import',
            ),
          ),
        ],
        ['token', words(preview.previewToken)],
        ['good until', words(minute(preview.expiresAt))],
      ]),
    ],
    items: 'The first ads',
    columns: {
      archiveId: { stays: 1 },
      standing: { stays: 2 },
      advertiserName: { title: 'advertiser', stays: 3 },
      text: { stays: 4 },
      changes: { title: 'differs in', cell: ({ changes }) => words(changes.join(', ')), stays: 6 },
    },
    foot: ({ rejections, coverage }) => [...refused(rejections), ...coverageLines(coverage)],
    empty: () => 'The import would take no ad.',
  } satisfies ViewOf<'admin_preview_paid_ads'>,

  admin_import_paid_ads: { head: runBlocks } satisfies ViewOf<'admin_import_paid_ads'>,
  admin_get_paid_ad_import: { head: runBlocks } satisfies ViewOf<'admin_get_paid_ad_import'>,
  admin_retry_paid_ad_import: { head: runBlocks } satisfies ViewOf<'admin_retry_paid_ad_import'>,

  admin_link_paid_ads: {
    head: (decision) => [
      title(
        `${decision.action === 'link' ? 'Linked to' : 'Unlinked from'} ${nameOf(decision.app)}`,
        `${decision.app.storeId}, ${decision.platform}`,
      ),
      ...pairs([
        ['advertiser', decision.advertiserId],
        ['ads', words(decision.archiveIds.join(', '))],
        ['stored ads', decision.storedAds],
        ['future ads', words(decision.appliesToFutureAds ? 'as well' : 'no: these ads only')],
        ['note', decision.note],
        ['decided', words(minute(decision.decidedAt))],
      ]),
    ],
  } satisfies ViewOf<'admin_link_paid_ads'>,
}

function lookupLines(lookups: ReplyOf<'admin_search_paid_ad_advertisers'>['lookups']): Block[] {
  return pairs(
    lookups.map(({ platform, outcome, found: answered, message }) => [
      platform,
      outcome === 'answered'
        ? words(`answered ${number(answered ?? 0)}`)
        : words([outcome.replaceAll('-', ' '), message].filter(Boolean).join(': '), 'warning'),
    ]),
  )
}

function queryWords(query: Query, origin: string) {
  if (!query || origin === 'records') return words('the records given')
  const parts = Object.entries(query).map(([name, value]) => {
    const label = name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
    return `${label} ${Array.isArray(value) ? value.join(' ') : String(value)}`
  })
  return words(parts.join(', ') || 'everything')
}

function runBlocks(run: Run): Block[] {
  const { counts, upstream } = run
  return [
    title('Import of paid ads', `${run.platform}, ${run.runId}`),
    ...workLines(run, 'state'),
    ...pairs([
      ['asked for', queryWords(run.query, run.origin)],
      ['read', counts.read],
      ['stored', counts.stored],
      ['updated', counts.updated],
      ['unchanged', counts.unchanged],
      ['refused', counts.rejected],
      ['library', upstream && words(standing(upstream))],
    ]),
    ...refused(run.rejections),
    ...coverageLines(run.coverage),
  ]
}

const positions: Record<string, string> = {
  'not-started': 'not asked yet',
  reading: 'being read',
  end: 'had no more',
  limit: 'stopped at the limit asked for',
  throttled: 'asks to wait',
  failed: 'broke off',
}

function standing({ position, requests, pages, resumesAt, resumable }: NonNullable<Run['upstream']>): string {
  return [
    positions[position] ?? position,
    `${number(requests)} requests, ${number(pages)} pages stored`,
    resumesAt && `goes on ${minute(resumesAt)}`,
    resumable && 'a retry can go on from here',
  ]
    .filter(Boolean)
    .join(', ')
}

function refused(rejections: Run['rejections']): Block[] {
  return part(
    'Refused',
    '',
    table(rejections.slice(0, 20), [
      { title: '#', cell: ({ position }) => position, stays: 1 },
      { title: 'archive id', cell: ({ archiveId }) => archiveId, stays: 3 },
      { title: 'why', wraps: true, cell: ({ message }) => words(message, 'warning'), stays: 2 },
    ]),
  ).concat(rejections.length > 20 ? [text(`${rejections.length - 20} more with --json`, 'quiet')] : [])
}
