import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../api/notices.ts'
import { changeOfPages } from '../../api/session.ts'
import { useCountry } from '../../evidence/country.ts'
import { countWithNoun } from '../../evidence/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/fields.tsx'
import { TokensField } from '../../ui/TokensField.tsx'
import { type ChartsChosen, ChartsFields, isWholeChoice } from './ChartsFields.tsx'
import { collecting } from './operating.ts'
import { StorefrontsField } from './StorefrontsField.tsx'

const kinds = [
  { id: 'charts', name: 'Charts' },
  { id: 'apps', name: 'App details' },
  { id: 'pages', name: 'App pages: subtitle, previews, similar apps' },
  { id: 'searches', name: 'Search results' },
  { id: 'search-pages', name: 'App Store web search' },
  { id: 'hints', name: 'Search suggestions' },
] as const

const ofApps: readonly string[] = ['apps', 'pages']

interface Begun {
  requests: number
  added: number
  minutes: number
}

/** Puts requests to a source into the queue. A write with its own scope: nothing here is collected by looking. */
export function CollectNow() {
  const queries = useQueryClient()
  const here = useCountry()
  const [what, setWhat] = useState<(typeof kinds)[number]['id']>('charts')
  const [charts, setCharts] = useState<ChartsChosen>({
    countries: [here],
    charts: ['top-free'],
    categories: [36],
    devices: ['iphone'],
  })
  const [subjects, setSubjects] = useState<readonly string[]>([])
  const collect = useMutation({
    mutationFn: () =>
      changeOfPages<Begun>(
        'POST',
        '/collecting',
        what === 'charts'
          ? { what, ...charts }
          : { what, countries: charts.countries, [ofApps.includes(what) ? 'storeIds' : 'terms']: subjects },
      ),
    onSuccess: ({ requests, added, minutes }) =>
      notify({
        kind: 'done',
        text: `${countWithNoun(added, 'request')} queued${added < requests ? `, ${requests - added} already waiting` : ''}. Takes about ${minutes < 1 ? 'a minute' : countWithNoun(Math.ceil(minutes), 'minute')}.`,
      }),
    onSettled: () => queries.invalidateQueries(collecting),
  })
  const isWhole = what === 'charts' ? isWholeChoice(charts) : charts.countries.length > 0 && subjects.length > 0
  return (
    <form
      className="stack gap-4"
      style={{ maxWidth: 560 }}
      onSubmit={(event) => {
        event.preventDefault()
        if (isWhole && !collect.isPending) collect.mutate()
      }}
    >
      <Select
        label="Data"
        options={kinds}
        value={what}
        onChange={(next) => {
          if (ofApps.includes(next) !== ofApps.includes(what)) setSubjects([])
          setWhat(next)
        }}
      />
      {what === 'charts' ? (
        <ChartsFields chosen={charts} onChange={(change) => setCharts({ ...charts, ...change })} />
      ) : (
        <>
          <StorefrontsField
            values={charts.countries}
            onChange={(countries) => setCharts({ ...charts, countries })}
          />
          <TokensField
            label={ofApps.includes(what) ? 'App Store IDs' : 'Keywords'}
            values={subjects}
            onChange={setSubjects}
            most={200}
            longest={200}
          />
        </>
      )}
      {collect.error && (
        <p role="alert" className="pad-2-3 rounded bad-fill">
          {collect.error.message}
        </p>
      )}
      <div>
        <Button type="submit" look="primary" isDisabled={!isWhole} isPending={collect.isPending}>
          Collect now
        </Button>
      </div>
    </form>
  )
}
