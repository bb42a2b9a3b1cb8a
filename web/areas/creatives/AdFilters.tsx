import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import {
  type AppStorePlacement,
  adPlatforms,
  placementCodes,
  placementLabel,
} from '../../../src/vocabulary/ad-platforms.ts'
import { read } from '../../api/operations.ts'
import { useCountry } from '../../evidence/country.ts'
import { countryName, countWithNoun, dayText, languageName } from '../../evidence/format.ts'
import type { Country } from '../../evidence/shapes.ts'
import { storefronts } from '../../evidence/storefronts.ts'
import {
  adFormatInWords,
  adFormats,
  adPlatformInWords,
  adSortInWords,
  adSorts,
  overallCategory,
  publisherInWords,
  publisherPlatforms,
} from '../../evidence/words.ts'
import { AppPicker } from '../../ui/AppPicker.tsx'
import { CategoryChoice } from '../../ui/CategoryChoice.tsx'
import { Choice, Select } from '../../ui/fields.tsx'
import { SelectSome } from '../../ui/SelectSome.tsx'
import { compactSearch, numberParam } from '../../ui/search-params.ts'
import { TokensField } from '../../ui/TokensField.tsx'
import { FilterBar, type SetFilter } from './FilterBar.tsx'
import { AnyOf, Either, Languages, Typed } from './filter-fields.tsx'
import { SearchAsTyped } from './SearchAsTyped.tsx'
import { type AdsSearch, listOf, valuesOf } from './search.ts'
import { activeText, callToActionText } from './words.ts'

const named = <Id extends string>(ids: readonly Id[], words: Record<Id, string>) =>
  ids.map((id) => ({ id, name: words[id] }))

const countries: { id: Country | 'any'; name: string }[] = [
  { id: 'any', name: 'Any country' },
  ...storefronts.map(({ code, name }) => ({ id: code, name })),
]

/** The filters of the ad search; all of them stand in the address. */
export function AdFilters({ buttons }: { buttons: readonly string[] }) {
  const search = useSearch({ from: '/creatives/ads' })
  const navigate = useNavigate({ from: '/creatives/ads' })
  const country = useCountry()
  const categories = useQuery({
    ...read('list_competitor_categories', { country }),
    enabled: search.category !== undefined,
  })
  const category = categories.data?.items.find(({ categoryId }) => categoryId === search.category)
  const set = (change: Partial<Record<keyof AdsSearch, unknown>>) =>
    void navigate({
      search: (before) => compactSearch({ ...before, ...change }) as AdsSearch,
      replace: true,
      resetScroll: false,
    })
  return (
    <FilterBar
      search={
        <SearchAsTyped
          label="Search ads"
          placeholder="Search ad copy, advertisers and transcripts"
          value={search.q}
          onSearch={(q) => set({ q })}
        />
      }
      sort={
        <Select
          label="Sort"
          labelHidden
          options={named(adSorts, adSortInWords)}
          value={search.sort ?? 'relevance'}
          onChange={(sort) => set({ sort: sort === 'relevance' ? undefined : sort })}
        />
      }
      usual={
        <>
          <AnyOf
            label="Ad library"
            options={named(adPlatforms, adPlatformInWords)}
            value={search.platform}
            onChange={(platform) => set({ platform })}
          />
          <AppPicker
            label="Apps"
            values={valuesOf(search.competitor)}
            onChange={(ids) => set({ competitor: listOf(ids) })}
          />
          <SelectSome
            label="Format"
            options={named(adFormats, adFormatInWords)}
            values={valuesOf(search.format) as (typeof adFormats)[number][]}
            onChange={(formats) => set({ format: listOf(formats) })}
          />
          <Either
            label="Status"
            yes={activeText(true)}
            no={activeText(false)}
            value={search.active}
            onChange={(active) => set({ active })}
          />
          <Either
            label="Saved"
            yes="Saved"
            no="Not saved"
            value={search.saved}
            onChange={(saved) => set({ saved })}
          />
        </>
      }
      others={
        <>
          <Typed
            label="Advertiser"
            placeholder="Name or ID"
            value={search.advertiser}
            onChange={(advertiser) => set({ advertiser })}
          />
          <CategoryChoice
            value={search.category ?? overallCategory}
            onChange={(category) => set({ category: category === overallCategory ? undefined : category })}
          />
          <Choice
            label="Country"
            options={countries}
            value={search.deliveredIn ?? 'any'}
            onChange={(code) => set({ deliveredIn: code === 'any' ? undefined : code })}
          />
          <SelectSome
            label="Platforms (Meta)"
            options={named(publisherPlatforms, publisherInWords)}
            values={valuesOf(search.publisherPlatform) as (typeof publisherPlatforms)[number][]}
            onChange={(platforms) => set({ publisherPlatform: listOf(platforms) })}
          />
          <SelectSome
            label="Placement (App Store)"
            options={placementCodes.map((id) => ({ id, name: placementLabel(id) }))}
            values={valuesOf(search.placement) as AppStorePlacement[]}
            onChange={(placements) => set({ placement: listOf(placements) })}
          />
          <Languages value={search.language} onChange={(language) => set({ language })} />
          <Typed
            label="Started from"
            type="date"
            value={search.startedFrom}
            onChange={(startedFrom) => set({ startedFrom })}
          />
          <Typed
            label="Started to"
            type="date"
            value={search.startedTo}
            onChange={(startedTo) => set({ startedTo })}
          />
          <Typed
            label="Minimum run time (days)"
            type="number"
            value={search.minDaysRunning}
            onChange={(days) => set({ minDaysRunning: numberParam(Number(days), 1, 100_000) })}
          />
          <Either
            label="Transcript"
            yes="Available"
            no="Not available"
            value={search.hasTranscript}
            onChange={(hasTranscript) => set({ hasTranscript })}
          />
          <Either
            label="Analysis"
            yes="Available"
            no="Not available"
            value={search.hasAnalysis}
            onChange={(hasAnalysis) => set({ hasAnalysis })}
          />
          <Typed
            label="Saved with tag"
            placeholder="Exact tag"
            value={search.tag}
            onChange={(tag) => set({ tag })}
          />
          <TokensField
            label="Call to action"
            values={valuesOf(search.callToAction)}
            suggestions={buttons}
            placeholder="Install now"
            onChange={(codes) => set({ callToAction: listOf(codes.map(codeOf)) })}
          />
        </>
      }
      set={setFilters(search, set, category?.name)}
      clear={() =>
        void navigate({ search: ({ items }) => compactSearch({ items }) as AdsSearch, replace: true })
      }
    />
  )
}

/** `install-now` of `Install now`. */
const codeOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

function setFilters(
  search: AdsSearch,
  set: (change: Partial<Record<keyof AdsSearch, unknown>>) => void,
  categoryName: string | undefined,
): SetFilter[] {
  const shown: [keyof AdsSearch, string, string | undefined][] = [
    ['platform', 'Ad library', search.platform && adPlatformInWords[search.platform]],
    ['advertiser', 'Advertiser', search.advertiser],
    ['competitor', 'Apps', countOf(search.competitor)],
    ['category', 'Category', search.category && (categoryName ?? search.category)],
    ['deliveredIn', 'Country', search.deliveredIn && countryName(search.deliveredIn)],
    ['active', 'Status', either(search.active, activeText(true), activeText(false))],
    ['format', 'Format', wordsOf(search.format, adFormatInWords)],
    ['callToAction', 'Call to action', valuesOf(search.callToAction).map(callToActionText).join(', ')],
    ['publisherPlatform', 'Platforms', wordsOf(search.publisherPlatform, publisherInWords)],
    ['placement', 'Placement', valuesOf(search.placement).map(placementLabel).join(', ')],
    ['language', 'Language', valuesOf(search.language).map(languageName).join(', ')],
    ['startedFrom', 'Started from', search.startedFrom && dayText(search.startedFrom)],
    ['startedTo', 'Started to', search.startedTo && dayText(search.startedTo)],
    [
      'minDaysRunning',
      'Run time',
      search.minDaysRunning ? `at least ${countWithNoun(search.minDaysRunning, 'day')}` : undefined,
    ],
    ['saved', 'Saved', either(search.saved, 'Yes', 'No')],
    ['tag', 'Tag', search.tag],
    ['hasTranscript', 'Transcript', either(search.hasTranscript, 'Available', 'Not available')],
    ['hasAnalysis', 'Analysis', either(search.hasAnalysis, 'Available', 'Not available')],
  ] as const
  return shown.flatMap(([key, name, value]) =>
    value ? [{ name, value, remove: () => set({ [key]: undefined }) }] : [],
  )
}

export const either = (value: boolean | undefined, yes: string, no: string): string | undefined =>
  value === undefined ? undefined : value ? yes : no

export const wordsOf = (list: string | undefined, words: Record<string, string>): string =>
  valuesOf(list)
    .map((value) => words[value] ?? value)
    .join(', ')

export function countOf(list: string | undefined): string | undefined {
  const apps = valuesOf(list).length
  return apps === 0 ? undefined : countWithNoun(apps, 'app')
}
