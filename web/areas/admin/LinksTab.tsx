import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { adPlatforms } from '../../../src/vocabulary/ad-platforms.ts'
import { notify } from '../../api/notices.ts'
import { type ArgumentsOf, type ReplyOf, read, type Tool, useWrite } from '../../api/operations.ts'
import { useHasScope, useSession } from '../../api/session.ts'
import { useCountry } from '../../evidence/country.ts'
import { countWithNoun, dayText, timeAgo } from '../../evidence/format.ts'
import type { PaidAd } from '../../evidence/shapes.ts'
import { adPlatformInWords } from '../../evidence/words.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { AppPicker } from '../../ui/AppPicker.tsx'
import { Button } from '../../ui/Button.tsx'
import { customProperties } from '../../ui/css.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Link2, Undo2, Unlink } from '../../ui/icons.ts'
import { Badge, Empty, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { TokensField } from '../../ui/TokensField.tsx'
import { attributionInWords } from '../creatives/words.ts'
import { listOf, textOf } from './import-query.ts'
import { NeedsScope } from './NeedsScope.tsx'

type LinkArguments = ArgumentsOf<'admin_link_paid_ads'>
type Decision = ReplyOf<'admin_link_paid_ads'>

const from = '/admin/links'
const changed: readonly Tool[] = [
  'search_paid_ads',
  'get_paid_ad',
  'admin_search_paid_ad_advertisers',
  'get_competitor',
]

/** Joins ads to an app, or says that they are not of it, with what each link rests on. */
export function LinksTab() {
  const mayWrite = useHasScope('content:write')
  const { session } = useSession()
  const bringsEvidence = session.signedIn && session.bringsEvidence
  return (
    <>
      {!mayWrite ? <NeedsScope /> : bringsEvidence ? <Decide /> : <NeedsScope evidence />}
      <LinkedAds />
    </>
  )
}

function Decide() {
  const { platform = 'meta', advertiser, ads, app } = useSearch({ from })
  const navigate = useNavigate({ from })
  const [note, setNote] = useState('')
  const [made, setMade] = useState<{ decision: Decision; given: LinkArguments }>()
  const decide = useWrite('admin_link_paid_ads', { changes: changed })
  const archiveIds = listOf(ads)
  const subject =
    archiveIds.length > 0
      ? { archiveIds }
      : advertiser?.trim()
        ? { advertiserId: advertiser.trim() }
        : undefined
  const change = (change: {
    platform?: typeof platform | undefined
    advertiser?: string | undefined
    ads?: string | undefined
    app?: string | undefined
  }) => void navigate({ search: (old) => compactSearch({ ...old, ...change }), replace: true })
  const send = (action: 'link' | 'unlink') => {
    if (!subject || !app) return
    const given: LinkArguments = {
      action,
      platform,
      competitor: app,
      ...subject,
      ...(note.trim() ? { note: note.trim() } : {}),
    }
    decide.mutate(given, {
      onSuccess: (decision) => {
        setMade({ decision, given })
        setNote('')
        notify({
          kind: 'done',
          text: `${decision.action === 'link' ? 'Linked' : 'Unlinked'}: ${countWithNoun(decision.storedAds, 'ad')}`,
          undo: () => withdraw(given),
        })
      },
    })
  }
  const withdraw = ({ note: _, ...given }: LinkArguments) =>
    decide.mutate({ ...given, action: 'withdraw' }, { onSuccess: () => setMade(undefined) })
  return (
    <Panel
      title="Link or unlink"
      note="Applies to all accounts and is marked as added by yours. Links of single ads override links of their advertiser."
    >
      <div className="stack">
        <Segments
          label="Library"
          labelHidden
          segments={adPlatforms.map((id) => ({ id, name: adPlatformInWords[id] }))}
          value={platform}
          onChange={(value) => change({ platform: value })}
        />
        <div className="tiles top" style={customProperties({ '--tile': '220px' })}>
          <TextField
            label="Advertiser ID"
            value={advertiser ?? ''}
            onChange={(value) => change({ advertiser: value || undefined })}
            isDisabled={archiveIds.length > 0}
            description="All its ads, including future ones"
          />
          <TokensField
            label="Or single ads, by ad ID"
            values={archiveIds}
            onChange={(values) => change({ ads: textOf(values) })}
            most={100}
            placeholder="ID, then Enter"
          />
          <AppPicker
            label="App"
            values={app ? [app] : []}
            most={1}
            onChange={(values) => change({ app: values[0] })}
          />
          <TextField label="Reason (optional)" value={note} onChange={setNote} maxLength={500} />
        </div>
        <div className="row">
          <Button
            look="primary"
            icon={<Link2 size={14} aria-hidden="true" />}
            isDisabled={!subject || !app}
            isPending={decide.isPending}
            onPress={() => send('link')}
          >
            Link
          </Button>
          <Button
            icon={<Unlink size={14} aria-hidden="true" />}
            isDisabled={!subject || !app}
            isPending={decide.isPending}
            onPress={() => send('unlink')}
          >
            Unlink
          </Button>
          {!(subject && app) && <span className="quiet">Enter the app, and an advertiser or ads.</span>}
        </div>
        {made && (
          <div className="pad rounded selected" role="status">
            <div className="row">
              <span>
                {made.decision.action === 'link' ? 'Linked to' : 'Unlinked from'}{' '}
                <bdi>{made.decision.app.name ?? made.decision.app.storeId}</bdi>:{' '}
                {countWithNoun(made.decision.storedAds, 'ad')}
                {made.decision.appliesToFutureAds && ' and future ones'} ({timeAgo(made.decision.decidedAt)})
              </span>
              <Button
                small
                icon={<Undo2 size={13} aria-hidden="true" />}
                isPending={decide.isPending}
                onPress={() => withdraw(made.given)}
              >
                {made.decision.action === 'link' ? 'Undo link' : 'Undo unlink'}
              </Button>
            </div>
          </div>
        )}
      </div>
    </Panel>
  )
}

/** Ads of the advertiser or of the app that the form names, each with what its links rest on. */
function LinkedAds() {
  const { platform = 'meta', advertiser, app } = useSearch({ from })
  const country = useCountry()
  const columns = useMemo(() => columnsOf(country), [country])
  const named = advertiser || app
  const query = useQuery({
    ...read('search_paid_ads', {
      platform,
      sort: 'recent',
      limit: 100,
      ...(advertiser ? { advertiser } : app ? { competitor: [app] } : {}),
    }),
    enabled: named !== undefined,
  })
  if (!named) return null
  return (
    <Panel
      title="Links and their reasons"
      note={advertiser ? `Collected ads of advertiser ${advertiser}` : 'Collected ads linked to the app'}
      flush
    >
      <Loaded query={query} skeleton={<Skeleton height={240} />}>
        {({ items }) => (
          <DataTable
            label="Ads with their links and reasons"
            rows={items}
            rowId={(ad) => `${ad.platform} ${ad.archiveId}`}
            columns={columns}
            file="ad-links"
            minWidth={980}
            empty={<Empty title="No ads collected">A link to the advertiser also applies to future ads.</Empty>}
          />
        )}
      </Loaded>
    </Panel>
  )
}

const textOfAd = ({ creatives }: PaidAd): string | null =>
  creatives
    .flatMap(({ title, body }) => [title, body])
    .flatMap((fact) => (fact.state === 'measured' ? [fact.value] : []))[0] ?? null

const columnsOf = (country: ReturnType<typeof useCountry>): readonly Column<PaidAd>[] => [
  {
    id: 'ad',
    name: 'Ad',
    csv: ({ archiveId }) => archiveId,
    cell: (ad) => (
      <Link
        to="/creatives/ads/$platform/$archiveId"
        params={{ platform: ad.platform, archiveId: ad.archiveId }}
      >
        <bdi>{textOfAd(ad) ?? ad.archiveId}</bdi>
      </Link>
    ),
  },
  {
    id: 'app',
    name: 'Linked app',
    width: 230,
    csv: ({ links }) => links.map(({ app }) => app.storeId).join(' '),
    cell: ({ links: [first] }) =>
      first ? (
        <AppLink app={first.app} country={first.app.namedIn ?? country} size={20} />
      ) : (
        <span className="quiet">not linked</span>
      ),
  },
  {
    id: 'grounds',
    name: 'Reason',
    width: 320,
    csv: ({ links }) => attributionsOf(links),
    cell: ({ links }) => <bdi title={attributionsOf(links)}>{attributionsOf(links)}</bdi>,
  },
  {
    id: 'by',
    name: 'Added by',
    width: 110,
    csv: ({ links }) => broughtBy(links),
    cell: ({ links }) => {
      const by = broughtBy(links)
      return by ? <Badge tone="accent">{by}</Badge> : <span className="quiet">source</span>
    },
  },
  {
    id: 'began',
    name: 'Started',
    width: 92,
    csv: ({ deliveryStartedOn: day }) => (day.state === 'measured' ? day.value : null),
    cell: ({ deliveryStartedOn: day }) =>
      day.state === 'measured' ? dayText(day.value) : <span className="quiet">unknown</span>,
  },
]

const attributionsOf = (links: PaidAd['links']): string =>
  links
    .flatMap(({ grounds }) => grounds.map(({ kind, text }) => `${attributionInWords[kind]}: ${text}`))
    .join('; ')

function broughtBy(links: PaidAd['links']): string | null {
  const brought = links
    .flatMap(({ grounds }) => grounds)
    .find((attribution) => attribution.broughtBy)?.broughtBy
  return brought ? (brought.account === 'own' ? 'your account' : 'another account') : null
}
