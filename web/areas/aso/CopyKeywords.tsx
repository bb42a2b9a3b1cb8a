import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { notify } from '../../api/notices.ts'
import { call } from '../../api/operations.ts'
import { count, countryName, countWithNoun, isolateDirection } from '../../evidence/format.ts'
import type { Country, TrackedAppSummary } from '../../evidence/shapes.ts'
import { storefronts } from '../../evidence/storefronts.ts'
import { trackedApps } from '../../evidence/tracked.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox, Choice } from '../../ui/fields.tsx'
import { Dialog } from '../../ui/overlays.tsx'
import { Problem } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { namesOf, ofSteps, type Perform, removalsAtOnce, removing, type Step, writing } from './keyword-bulk.ts'
import { callsFor, keywordsOf, splitIntoBatches, termsPerCall } from './pasted-terms.ts'
import type { Workstation, WorkstationKeyword } from './shapes.ts'

/** Where keywords can go: a tracked app, or this one in a storefront where it is not tracked yet. */
interface Target {
  id: string
  name: string
  country: Country
  /** Undefined where it has to be tracked first. */
  appId: string | undefined
}

/** Copies or moves keywords to another tracked app, or to the same one in another storefront. */
export function CopyKeywords({
  workstation,
  keywords,
  perform,
  isDisabled,
}: {
  workstation: Workstation
  keywords: readonly WorkstationKeyword[]
  perform: Perform
  isDisabled: boolean
}) {
  return (
    <Dialog
      title={`Copy or move ${countWithNoun(keywords.length, 'keyword')}`}
      trigger={
        <Button small isDisabled={isDisabled}>
          Copy or move…
        </Button>
      }
    >
      {(close) => <Form workstation={workstation} keywords={keywords} perform={perform} close={close} />}
    </Dialog>
  )
}

function Form({
  workstation: { tracked },
  keywords,
  perform,
  close,
}: {
  workstation: Workstation
  keywords: readonly WorkstationKeyword[]
  perform: Perform
  close: () => void
}) {
  const { data: apps = [] } = useQuery(trackedApps)
  const [act, setAct] = useState<'copy' | 'move'>('copy')
  const [chosen, setChosen] = useState<string>()
  const [withNotes, setWithNotes] = useState(true)
  const [failure, setFailure] = useState<unknown>()
  const [isPending, setPending] = useState(false)
  const targets = targetsOf(tracked, apps)
  const target = targets.find(({ id }) => id === chosen)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (!target || isPending) return
    setPending(true)
    setFailure(undefined)
    try {
      const appId = target.appId ?? (await trackThere(tracked, target.country))
      close()
      await sendTo(
        { to: { ...target, appId }, fromId: tracked.appId, act, withNotes, perform, added: new Map() },
        keywords,
      )
    } catch (error) {
      setFailure(error)
      setPending(false)
    }
  }
  return (
    <form className="stack" onSubmit={(event) => void send(event)}>
      <Segments
        label="Action"
        segments={[
          { id: 'copy', name: 'Copy' },
          { id: 'move', name: 'Move' },
        ]}
        value={act}
        onChange={setAct}
      />
      <Choice
        key={apps.length}
        label="To"
        placeholder="App and storefront"
        options={targets.map(({ id, name, appId }) => ({
          id,
          name: appId === undefined ? `${name} (not tracked yet)` : name,
        }))}
        value={chosen ?? null}
        onChange={setChosen}
      />
      <Checkbox isSelected={withNotes} onChange={setWithNotes}>
        Include tags and notes
      </Checkbox>
      <p className="quiet small">
        {target && target.appId === undefined
          ? `The app will be tracked in ${countryName(target.country)}. `
          : ''}
        {act === 'move'
          ? 'The keywords are removed from this app once the other app has them. Collected search results are kept.'
          : 'Keywords that the other app already has are not changed.'}
      </p>
      {failure !== undefined && <Problem error={failure} />}
      <div className="row">
        <Button look="primary" type="submit" isDisabled={!target} isPending={isPending}>
          {act === 'move' ? 'Move' : 'Copy'} {count(keywords.length)}
        </Button>
      </div>
    </form>
  )
}

function targetsOf(
  { appId, app, country }: Workstation['tracked'],
  apps: readonly TrackedAppSummary[],
): readonly Target[] {
  const name = app.name ?? `App ${app.storeId}`
  const known = apps
    .filter((one) => one.appId !== appId)
    .map((one) => ({
      id: one.appId,
      name: `${one.app.name ?? `App ${one.app.storeId}`}, ${countryName(one.country)}`,
      country: one.country,
      appId: one.appId,
    }))
  const isTrackedIn = new Set<string>(
    apps.filter((one) => one.app.storeId === app.storeId).map((one) => one.country),
  )
  const others = storefronts
    .filter(({ code }) => code !== country && !isTrackedIn.has(code))
    .map(({ code, name: storefront }) => ({
      id: code,
      name: `${name}, ${storefront}`,
      country: code,
      appId: undefined,
    }))
  return [...known, ...others]
}

/** Tracks the app in another storefront, in the same role. */
async function trackThere({ app, role }: Workstation['tracked'], country: Country): Promise<string> {
  const { appId } = await call('track_aso_app', { app: app.storeId, country, role })
  return appId
}

interface Sending {
  to: Target & { appId: string }
  fromId: string
  act: 'copy' | 'move'
  withNotes: boolean
  perform: Perform
  /** What the other app did not have before, by the terms of this one. */
  added: Map<string, { keywordId: string; term: string }>
}

async function sendTo(sending: Sending, keywords: readonly WorkstationKeyword[]): Promise<void> {
  const { to, fromId, act, withNotes, perform, added } = sending
  const refused: { term: string; message: string }[] = []
  const name = isolateDirection(to.name)
  const steps = splitIntoBatches(keywords, termsPerCall).map(
    (together): Step => ({
      keywords: together,
      send: async () => {
        const reply = await call('add_aso_keywords', {
          appId: to.appId,
          terms: together.map(({ term }) => term),
        })
        for (const { given, keyword } of reply.added) added.set(given, keyword)
        refused.push(...reply.refused.map(({ given, message }) => ({ term: given, message })))
        if (!withNotes) return
        // What is written on a keyword that was there stays: only those that are new get tags and notes.
        const noted = together.flatMap(({ term, tags, note }) => {
          const there = added.get(term)
          return there && (tags.length > 0 || note !== null) ? [{ term: there.term, tags, note }] : []
        })
        for (const alike of callsFor(noted))
          await call('add_aso_keywords', { appId: to.appId, ...keywordsOf(alike) })
      },
    }),
  )
  const takeBack = (done: readonly Step[]): Step[] =>
    removing(
      to.appId,
      ofSteps(done, keywords).flatMap(({ term }) => added.get(term) ?? []),
    )
  const { done: sent, left } = await perform({
    going: act === 'move' ? 'Moving keywords' : 'Copying keywords',
    steps,
    ...(act === 'copy' && {
      done: (taken: number) =>
        copiedText(taken - refused.length, keywords.filter(({ term }) => added.has(term)).length, name),
      undo: (done: readonly Step[]) => ({
        going: 'Removing the copies',
        steps: takeBack(done),
        atOnce: removalsAtOnce,
        failed: `Not removed from ${name}`,
      }),
    }),
    again: (missing) => sendTo(sending, ofSteps(missing, keywords)),
    failed: act === 'move' ? `Not moved to ${name}` : `Not copied to ${name}`,
  })
  if (refused.length > 0)
    notify({ kind: 'failed', text: `Not added to ${name}: ${namesOf(refused)}. ${refused[0]?.message}` })
  if (act === 'copy' || sent.length === 0) return
  const staying = new Set([...left, ...refused].map(({ term }) => term))
  await perform({
    going: 'Removing from this app',
    steps: removing(
      fromId,
      keywords.filter(({ term }) => !staying.has(term)),
    ),
    atOnce: removalsAtOnce,
    done: (moved) => `${countWithNoun(moved, 'keyword')} moved to ${name}`,
    failed: `Copied to ${name}, but not removed from this app`,
    undo: (done) => ({
      going: 'Moving back',
      steps: [
        ...writing(
          fromId,
          ofSteps(done, keywords).map(({ term, tags, note }) => ({ term, tags, note })),
        ),
        ...takeBack(done),
      ],
      failed: 'Not moved back',
    }),
  })
}

const copiedText = (taken: number, added: number, name: string): string =>
  `${countWithNoun(added, 'keyword')} copied to ${name}${taken > added ? `; ${count(taken - added)} already there` : ''}`
