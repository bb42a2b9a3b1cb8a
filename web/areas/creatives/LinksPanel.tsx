import { type FormEvent, useState } from 'react'
import { notify } from '../../api/notices.ts'
import { useWrite } from '../../api/operations.ts'
import { useHasScope, useSession } from '../../api/session.ts'
import { useCountry } from '../../evidence/country.ts'
import { Measured } from '../../evidence/Fact.tsx'
import { countWithNoun, isolateDirection } from '../../evidence/format.ts'
import type { Evidence } from '../../evidence/shapes.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { AppPicker } from '../../ui/AppPicker.tsx'
import { Button } from '../../ui/Button.tsx'
import { Select, TextField } from '../../ui/fields.tsx'
import { Unlink } from '../../ui/icons.ts'
import { Dialog } from '../../ui/overlays.tsx'
import { Empty, Panel } from '../../ui/parts.tsx'
import type { AdDetail } from './reading.ts'
import { SuggestedApps } from './SuggestedApps.tsx'
import type { CreativeLink } from './shapes.ts'
import { attributionInWords } from './words.ts'

const changes = ['get_paid_ad', 'search_paid_ads'] as const

/** The apps an ad belongs to, with the grounds, and links made and undone by hand. */
export function AdLinksPanel({ ad }: { ad: AdDetail }) {
  const mayLink = useMayLink()
  const decide = useWrite('admin_link_paid_ads', { changes })
  const unlink = ({ app: { storeId, name }, grounds }: CreativeLink) => {
    const decision = { platform: ad.platform, archiveIds: [ad.archiveId], competitor: storeId }
    const wasByHand = grounds.some(({ kind }) => kind === 'manual')
    decide.mutate(
      { ...decision, action: 'unlink' },
      {
        onSuccess: () =>
          notify({
            kind: 'done',
            text: `Unlinked from ${isolateDirection(name ?? `app ${storeId}`)}.`,
            undo: () => decide.mutate({ ...decision, action: wasByHand ? 'link' : 'withdraw' }),
          }),
      },
    )
  }
  return (
    <Panel title="Apps" actions={mayLink && <LinkDialog ad={ad} />}>
      {ad.links.length === 0 ? (
        <Empty title="No linked app">
          Ads with a landing page in the App Store are linked automatically, others manually.
        </Empty>
      ) : (
        <Links
          links={ad.links}
          evidence={ad.evidence}
          action={(link) =>
            mayLink && (
              <Button
                small
                look="bare"
                icon={<Unlink size={13} aria-hidden="true" />}
                isDisabled={decide.isPending}
                onPress={() => unlink(link)}
                aria-label={`Unlink from ${link.app.name ?? link.app.storeId}`}
              >
                Unlink
              </Button>
            )
          }
        />
      )}
    </Panel>
  )
}

/** Apps a creative belongs to, with what each link rests on. */
export function Links({
  links,
  evidence,
  action,
}: {
  links: readonly CreativeLink[]
  evidence: readonly Evidence[]
  action?: (link: CreativeLink) => React.ReactNode
}) {
  const country = useCountry()
  return (
    <ul className="stack">
      {links.map((link) => (
        <li key={link.app.storeId}>
          <div className="row">
            <AppLink app={link.app} country={country} size={32} />
            <span className="grow" />
            {action?.(link)}
          </div>
          <ul className="small" style={{ paddingInlineStart: 40 }}>
            {link.grounds.map(({ kind, text, evidence: index, broughtBy }) => (
              <li key={`${kind} ${text}`}>
                <Measured
                  evidence={index === null ? undefined : evidence[index]}
                  observedAt={index === null ? link.linkedAt : undefined}
                  note={broughtBy && `Linked by ${broughtBy.account === 'own' ? 'this' : 'another'} account.`}
                >
                  {attributionInWords[kind]}
                </Measured>
                : <span className="foreign quiet">{text}</span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

/** Who writes and may bring evidence may decide what belongs together. */
function useMayLink(): boolean {
  const mayWrite = useHasScope('content:write')
  const { session } = useSession()
  return mayWrite && session.signedIn && session.bringsEvidence
}

function LinkDialog({ ad }: { ad: AdDetail }) {
  const [apps, setApps] = useState<string[]>([])
  const [whose, setWhose] = useState<'ad' | 'advertiser'>('ad')
  const [note, setNote] = useState('')
  const link = useWrite('admin_link_paid_ads', {
    changes,
    done: ({ storedAds }) => (storedAds === 1 ? 'Linked.' : `Linked ${countWithNoun(storedAds, 'ad')}.`),
  })
  const { advertiserId } = ad.advertiser
  const [app] = apps
  const send = (event: FormEvent, close: () => void) => {
    event.preventDefault()
    if (!app) return
    link.mutate(
      {
        action: 'link',
        platform: ad.platform,
        competitor: app,
        ...(whose === 'advertiser' && advertiserId ? { advertiserId } : { archiveIds: [ad.archiveId] }),
        ...(note.trim() === '' ? {} : { note: note.trim() }),
      },
      { onSuccess: close },
    )
  }
  return (
    <Dialog title="Link to an app" trigger={<Button small>Link…</Button>}>
      {(close) => (
        <form className="stack" onSubmit={(event) => send(event, close)}>
          <SuggestedApps
            ad={ad}
            chosen={app}
            choose={(storeId, reasons) => {
              setApps([storeId])
              setNote(reasons)
            }}
          />
          <AppPicker label="App" values={apps} onChange={setApps} most={1} />
          {advertiserId && (
            <Select
              label="Applies to"
              options={[
                { id: 'ad', name: 'This ad only' },
                { id: 'advertiser', name: 'All ads of this advertiser, including future ones' },
              ]}
              value={whose}
              onChange={setWhose}
            />
          )}
          <TextField
            label="Reason"
            description="Shown with the link."
            value={note}
            onChange={setNote}
            maxLength={500}
          />
          <div className="row">
            <Button look="primary" type="submit" isDisabled={!app} isPending={link.isPending}>
              Link
            </Button>
            <Button onPress={close}>Cancel</Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
