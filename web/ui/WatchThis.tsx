import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useHasScope } from '../api/session.ts'
import { addWatch, channelsQuery, useChange, type Watch, type Whose, watchesQuery } from '../api/watches.ts'
import { countryName, countWithNoun } from '../evidence/format.ts'
import type { Country } from '../evidence/shapes.ts'
import { isSameWatch, whoseOptions } from '../evidence/watches.ts'
import { Button } from './Button.tsx'
import { Checkbox, Select } from './fields.tsx'
import { BellPlus } from './icons.ts'
import { Dialog } from './overlays.tsx'
import { Loaded, Skeleton } from './parts.tsx'

/** A kind of change that can be watched, in words of what it is offered on. */
export interface WatchChoice {
  label: string
  /** @param whose the apps that were chosen, where there is a choice */
  watch: (whose: Whose) => Watch
}

/**
 * A button that opens what can be watched of something. What is watched already is ticked and stays. Where ranks of several apps can
 * be meant, their group is chosen first.
 */
export function WatchThis({
  title,
  subject,
  country,
  choices,
  choosesWhose = false,
  small = false,
}: {
  /** Of the button, `Watch` when left out. */
  title?: string
  /** What it is about, for the heading of the dialog. */
  subject: string
  /** The storefront that it holds for; none for what has none. */
  country?: Country
  choices: readonly WatchChoice[]
  choosesWhose?: boolean
  small?: boolean
}) {
  if (!useHasScope('content:write')) return null
  return (
    <Dialog
      title={`Watch ${subject}`}
      trigger={
        <Button small={small} icon={<BellPlus size={15} aria-hidden="true" />}>
          {title ?? 'Watch'}
        </Button>
      }
    >
      {(close) => <Choices choices={choices} country={country} choosesWhose={choosesWhose} close={close} />}
    </Dialog>
  )
}

function Choices({
  choices,
  country,
  choosesWhose,
  close,
}: {
  choices: readonly WatchChoice[]
  country: Country | undefined
  choosesWhose: boolean
  close: () => void
}) {
  const watches = useQuery(watchesQuery)
  const channels = useQuery(channelsQuery)
  const [whose, setWhose] = useState<Whose>('tracked')
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const known = ({ watch }: WatchChoice) => watches.data?.find((one) => isSameWatch(one.watch, watch(whose)))
  const chosen = choices.filter((choice) => ticked.has(choice.label) && !known(choice))
  const add = useChange(
    async (asked: readonly Watch[]) => {
      // One after the other: where one fails, those before it are there, and asking again makes none twice.
      for (const watch of asked) await addWatch(watch)
    },
    {
      changes: ['watches'],
      done: (_, asked) => `${countWithNoun(asked.length, 'watch', 'watches')} added.`,
    },
  )
  const tick = (label: string, on: boolean) =>
    setTicked((before) => new Set(on ? [...before, label] : [...before].filter((one) => one !== label)))
  return (
    <form
      className="stack gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate(
          chosen.map(({ watch }) => watch(whose)),
          { onSuccess: close },
        )
      }}
    >
      {country && <p className="quiet">{countryName(country)}, for data collected from now on.</p>}
      {choosesWhose && <Select label="Apps" options={whoseOptions} value={whose} onChange={setWhose} />}
      <Loaded query={watches} skeleton={<Skeleton height={180} />}>
        {() => (
          <fieldset className="stack gap-2">
            <legend className="hidden">What to watch</legend>
            {choices.map((choice) => {
              const isKnown = known(choice) !== undefined
              return (
                <Checkbox
                  key={choice.label}
                  isSelected={isKnown || ticked.has(choice.label)}
                  isDisabled={isKnown}
                  onChange={(on) => tick(choice.label, on)}
                >
                  <span>
                    {choice.label}
                    {isKnown && <span className="quiet"> (already watched)</span>}
                  </span>
                </Checkbox>
              )
            })}
          </fieldset>
        )}
      </Loaded>
      {channels.data && channels.data.items.length === 0 && (
        <p className="pad rounded warn-fill">
          No channel yet: events are listed in the history, and not sent.{' '}
          <Link to="/alerts/channels">Add a channel</Link>
        </p>
      )}
      <div className="row">
        <Button type="submit" look="primary" isPending={add.isPending} isDisabled={chosen.length === 0}>
          {chosen.length > 1 ? `Add ${chosen.length} watches` : 'Add watch'}
        </Button>
        <Button onPress={close}>Cancel</Button>
        <Link to="/alerts" className="pad-2-3">
          All watches
        </Link>
      </div>
    </form>
  )
}
