import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { notify } from '../../api/notices.ts'
import { changeOfPages } from '../../api/session.ts'
import { useCountry } from '../../evidence/country.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox, Select } from '../../ui/fields.tsx'
import { Dialog } from '../../ui/overlays.tsx'
import { ChartsFields, isWholeChoice } from './ChartsFields.tsx'
import { type Collecting, collecting, type Schedule } from './operating.ts'
import { StorefrontsField } from './StorefrontsField.tsx'
import { everyDaysText, everyHoursText } from './schedule-words.ts'

/** Changes the schedule of the whole installation, or lets the configuration file's hold again. */
export function ScheduleEditor({ shown }: { shown: Collecting }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Dialog
      title="Schedule"
      trigger={<Button small>Change schedule…</Button>}
      open={isOpen}
      onOpenChange={setOpen}
      wide
    >
      {(close) => <Form shown={shown} onDone={close} />}
    </Dialog>
  )
}

function Form({ shown, onDone }: { shown: Collecting; onDone: () => void }) {
  const queries = useQueryClient()
  const here = useCountry()
  // What was read when the form opened: another tab's change is not overwritten unseen.
  const [before] = useState(shown.changedAt)
  const [draft, setDraft] = useState<Schedule>(shown.schedule)
  const keep = useMutation({
    mutationFn: (schedule: Schedule | null) =>
      changeOfPages<Collecting>('PUT', '/collecting/schedule', { schedule, before }),
    onSuccess: (next) => {
      queries.setQueryData(collecting.queryKey, next)
      notify({ kind: 'done', text: 'Schedule saved. It takes effect within a minute.' })
      onDone()
    },
  })
  const set = (change: Partial<Schedule>) => setDraft({ ...draft, ...change })
  const without = (part: keyof Schedule) => {
    const { [part]: _, ...rest } = draft
    setDraft(rest as Schedule)
  }
  const isWhole =
    draft.charts.every(isWholeChoice) &&
    [draft.apps, draft.pages].every((checks) => !checks || checks.countries.length > 0)
  return (
    <form
      className="stack gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (isWhole && !keep.isPending) keep.mutate(draft)
      }}
    >
      {draft.charts.map((rule, index) => {
        const change = (next: Partial<typeof rule>) =>
          set({ charts: draft.charts.map((one, at) => (at === index ? { ...one, ...next } : one)) })
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other name, and keep their places
          <fieldset key={index} className="stack pad rounded sunken">
            <legend className="medium">Charts {index + 1}</legend>
            <ChartsFields chosen={rule} onChange={change} />
            <Often
              label="Frequency"
              value={rule.everyHours}
              values={[1, 3, 6, 12, 24, 48, 168]}
              text={everyHoursText}
              onChange={(everyHours) => change({ everyHours })}
            />
            <div>
              <Button small onPress={() => set({ charts: draft.charts.filter((_, at) => at !== index) })}>
                Remove charts {index + 1}
              </Button>
            </div>
          </fieldset>
        )
      })}
      <div>
        <Button
          small
          onPress={() =>
            set({
              charts: [
                ...draft.charts,
                {
                  countries: [here],
                  charts: ['top-free'],
                  categories: [36],
                  devices: ['iphone'],
                  everyHours: 24,
                },
              ],
            })
          }
        >
          Add charts
        </Button>
      </div>
      {checkedParts.map(({ part, name }) => {
        const rule = draft[part]
        return (
          <Part
            key={part}
            name={name}
            isOn={rule !== undefined}
            onSwitch={(isOn) =>
              isOn ? set({ [part]: { countries: [here], everyDays: 7, trackedEveryHours: 24 } }) : without(part)
            }
          >
            {rule && (
              <>
                <StorefrontsField
                  values={rule.countries}
                  onChange={(countries) => set({ [part]: { ...rule, countries } })}
                />
                <Often
                  label="All apps"
                  value={rule.everyDays}
                  values={[1, 7, 14, 30]}
                  text={everyDaysText}
                  onChange={(everyDays) => set({ [part]: { ...rule, everyDays } })}
                />
                <Often
                  label="Tracked apps"
                  value={rule.trackedEveryHours}
                  values={[6, 12, 24, 48, 168]}
                  text={everyHoursText}
                  onChange={(trackedEveryHours) => set({ [part]: { ...rule, trackedEveryHours } })}
                />
              </>
            )}
          </Part>
        )
      })}
      {hourlyParts.map(({ part, name }) => {
        const rule = draft[part]
        return (
          <Part
            key={part}
            name={name}
            isOn={rule !== undefined}
            onSwitch={(isOn) => (isOn ? set({ [part]: { everyHours: 24 } }) : without(part))}
          >
            {rule && (
              <Often
                label="Frequency"
                value={rule.everyHours}
                values={[6, 12, 24, 48, 168]}
                text={everyHoursText}
                onChange={(everyHours) => set({ [part]: { everyHours } })}
              />
            )}
          </Part>
        )
      })}
      {dailyParts.map(({ part, name, begin }) => {
        const rule = draft[part]
        return (
          <Part
            key={part}
            name={name}
            isOn={rule !== undefined}
            onSwitch={(isOn) => (isOn ? set(begin) : without(part))}
          >
            {rule && (
              <Often
                label="Frequency"
                value={rule.everyDays}
                values={[1, 7, 14, 30]}
                text={everyDaysText}
                onChange={(everyDays) => set({ [part]: { ...rule, everyDays } })}
              />
            )}
          </Part>
        )
      })}
      {keep.error && (
        <p role="alert" className="pad-2-3 rounded bad-fill">
          {keep.error.message}
        </p>
      )}
      <div className="row">
        <Button type="submit" look="primary" isDisabled={!isWhole} isPending={keep.isPending}>
          Save schedule
        </Button>
        {before !== null && (
          <Button isPending={keep.isPending} onPress={() => keep.mutate(null)}>
            Reset to the configuration file
          </Button>
        )}
        <Button onPress={onDone}>Cancel</Button>
      </div>
    </form>
  )
}

const checkedParts = [
  { part: 'apps', name: 'App details' },
  { part: 'pages', name: 'App pages: subtitle, previews, similar apps' },
] as const
const hourlyParts = [
  { part: 'keywords', name: 'Keywords of tracked apps' },
  { part: 'searchPages', name: 'App Store web search for their keywords' },
  { part: 'estimates', name: 'Estimates' },
] as const
const dailyParts = [
  {
    part: 'localizations',
    name: 'Tracked apps in other languages',
    begin: { localizations: { everyDays: 7, languages: 'supported', lookups: false } },
  },
  { part: 'appStoreAds', name: 'App Store ads of tracked apps', begin: { appStoreAds: { everyDays: 7 } } },
] as const

/** A part of the schedule that is collected or not. */
const Part = ({
  name,
  isOn,
  onSwitch,
  children,
}: {
  name: string
  isOn: boolean
  onSwitch: (isOn: boolean) => void
  children: ReactNode
}) => (
  <div className="stack">
    <Checkbox isSelected={isOn} onChange={onSwitch}>
      {name}
    </Checkbox>
    {children}
  </div>
)

/** How often: one of a few, and what is set already. */
function Often({
  label,
  value,
  values,
  text,
  onChange,
}: {
  label: string
  value: number
  values: readonly number[]
  text: (value: number) => string
  onChange: (value: number) => void
}) {
  const offered = [...new Set([...values, value])].sort((one, other) => one - other)
  return (
    <Select
      label={label}
      options={offered.map((one) => ({ id: String(one), name: text(one) }))}
      value={String(value)}
      onChange={(chosen) => onChange(Number(chosen))}
    />
  )
}
