import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import {
  adPlatforms,
  askedLibraryRow,
  askedPlatform,
  isAsked,
  searchSubjectsOf,
} from '../../../src/vocabulary/ad-platforms.ts'
import { useWrite } from '../../api/operations.ts'
import { useHasScope, useSession } from '../../api/session.ts'
import { count, countryName } from '../../evidence/format.ts'
import type { Country } from '../../evidence/shapes.ts'
import { storefronts } from '../../evidence/storefronts.ts'
import { adPlatformInWords } from '../../evidence/words.ts'
import { AppPicker } from '../../ui/AppPicker.tsx'
import { Button } from '../../ui/Button.tsx'
import { customProperties } from '../../ui/css.ts'
import { FilterSelect } from '../../ui/FilterSelect.tsx'
import { DayField, Select, TextField } from '../../ui/fields.tsx'
import { Panel, Problem } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { SelectSome } from '../../ui/SelectSome.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { TokensField } from '../../ui/TokensField.tsx'
import {
  type ImportSearch,
  listOf,
  mediaTypes,
  mostRecords,
  type PreviewArguments,
  pastedRecords,
  queryOf,
  textOf,
} from './import-query.ts'
import { NeedsScope } from './NeedsScope.tsx'
import { Preview } from './Preview.tsx'

/** The form of an import. It shows a preview first; nothing is written until the import is started. */
export function ImportTab() {
  const mayWrite = useHasScope('content:write')
  return mayWrite ? <Import /> : <NeedsScope />
}

function Import() {
  const search = useSearch({ from: '/admin/import' })
  const navigate = useNavigate({ from: '/admin/import' })
  const { session } = useSession()
  const bringsEvidence = session.signedIn && session.bringsEvidence
  const [pasted, setPasted] = useState('')
  const preview = useWrite('admin_preview_paid_ads')
  const { platform = 'meta' } = search
  const fromRecords = search.from === 'records' || !isAsked(platform)
  const change = (change: { [Name in keyof ImportSearch]?: ImportSearch[Name] | undefined }) =>
    void navigate({ search: (old) => compactSearch({ ...old, ...change }), replace: true })
  const records = pastedRecords(pasted)
  const asked = fromRecords ? askedRecords(search, records) : queryOf(search)
  const isOfThese = JSON.stringify(preview.variables) === JSON.stringify(asked)
  return (
    <>
      <Panel title="Import ads" note="Preview first. Nothing is saved until you import.">
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault()
            if (asked) preview.mutate(asked)
          }}
        >
          <div className="row">
            <Segments
              label="Library"
              labelHidden
              segments={adPlatforms.map((id) => ({ id, name: adPlatformInWords[id] }))}
              value={platform}
              onChange={(platform) => change({ platform })}
            />
            {isAsked(platform) && (
              <Segments
                label="Source of the ads"
                labelHidden
                segments={[
                  { id: 'library', name: 'From the ad library' },
                  { id: 'records', name: 'Paste records' },
                ]}
                value={fromRecords ? 'records' : 'library'}
                onChange={(from) => change({ from: from === 'records' ? 'records' : undefined })}
              />
            )}
          </div>
          {fromRecords ? (
            bringsEvidence ? (
              <TextField
                label="Records"
                lines={10}
                value={pasted}
                onChange={setPasted}
                description={`JSON, or one record per line, in the format of the ad library; up to ${count(mostRecords)} records and 1 MiB. They are marked as added by your account.`}
                error={'problem' in records ? records.problem : undefined}
              />
            ) : (
              <NeedsScope evidence />
            )
          ) : (
            <QueryFields search={search} change={change} />
          )}
          <div className="row">
            <Button
              type="submit"
              look="primary"
              isPending={preview.isPending}
              isDisabled={!asked || (fromRecords && !bringsEvidence)}
            >
              Preview
            </Button>
            {!asked && !fromRecords && <span className="quiet">{needed(search)}</span>}
          </div>
        </form>
      </Panel>
      {preview.error && <Problem error={preview.error} />}
      {preview.data && asked && (
        <Preview preview={preview.data} isOfThese={isOfThese} again={() => preview.mutate(asked)} />
      )}
    </>
  )
}

/** What a query has to name at least. */
const needed = ({ platform = 'meta' }: ImportSearch) =>
  searchSubjectsOf(platform).includes('apps')
    ? 'Enter at least one app, advertiser or country.'
    : 'Enter at least one advertiser or term.'

function askedRecords(
  { platform = 'meta' }: ImportSearch,
  pasted: ReturnType<typeof pastedRecords>,
): PreviewArguments | undefined {
  return 'records' in pasted && pasted.records.length > 0 ? { platform, records: pasted.records } : undefined
}

const mediaInWords = { image: 'Image', meme: 'Image with text', video: 'Video', none: 'No media' } as const
const countries = storefronts.map(({ code, name }) => ({ id: code, name }))

function QueryFields({
  search,
  change,
}: {
  search: ImportSearch
  change: (change: { [Name in keyof ImportSearch]?: ImportSearch[Name] | undefined }) => void
}) {
  const platform = askedPlatform(search.platform ?? 'meta')
  const library = askedLibraryRow(platform)
  const { filters, longestTerm = 100, countries: answersFor, termsAreAdvertisers } = library
  const subjects = searchSubjectsOf(platform)
  const offered = countries.filter(({ id }) => answersFor?.codes.includes(id) ?? true)
  return (
    <div className="tiles top" style={customProperties({ '--tile': '220px' })}>
      {subjects.includes('apps') && (
        <AppPicker
          label="Apps"
          values={listOf(search.apps)}
          onChange={(values) => change({ apps: textOf(values) })}
          most={100}
        />
      )}
      <TokensField
        label="Advertiser IDs"
        values={listOf(search.advertisers)}
        onChange={(values) => change({ advertisers: textOf(values) })}
        most={100}
        placeholder="ID, then Enter"
      />
      {subjects.includes('terms') && (
        <TokensField
          label={termsAreAdvertisers ? 'Advertiser names (or parts)' : 'Terms'}
          values={listOf(search.terms)}
          onChange={(values) => change({ terms: textOf(values) })}
          most={10}
          longest={longestTerm}
          placeholder="Term, then Enter"
        />
      )}
      <SelectSome<Country>
        label="Countries"
        options={offered}
        values={offered.map(({ id }) => id).filter((id) => listOf(search.countries).includes(id))}
        onChange={(values) => change({ countries: textOf(values) })}
      />
      <FilterSelect
        label="Status"
        any="Active or inactive"
        values={['yes', 'no']}
        words={{ yes: 'Active only', no: 'Inactive only' }}
        value={search.running}
        onChange={(running) => change({ running })}
      />
      <DayField label="Delivered from" value={search.since} onChange={(since) => change({ since })} />
      <DayField label="Delivered to" value={search.until} onChange={(until) => change({ until })} />
      {filters.includes('mediaTypes') && (
        <SelectSome
          label="Media"
          options={mediaTypes.map((id) => ({ id, name: mediaInWords[id] }))}
          values={mediaTypes.filter((id) => listOf(search.media).includes(id))}
          onChange={(values) => change({ media: textOf(values) })}
        />
      )}
      {filters.includes('languages') && (
        <TokensField
          label="Languages"
          values={listOf(search.languages)}
          onChange={(values) => change({ languages: textOf(values) })}
          placeholder="Such as de"
        />
      )}
      <Select
        label="Limit"
        options={limits.map((limit) => ({ id: String(limit), name: `${limit} ads` }))}
        value={String(search.limit ?? 500)}
        onChange={(value) => change({ limit: value === '500' ? undefined : Number(value) })}
      />
      {listOf(search.countries).length > 0 && (
        <p className="quiet">Delivered in {listOf(search.countries).map(countryName).join(', ')}</p>
      )}
    </div>
  )
}

const limits = [25, 100, 500, 1_000, 5_000, 10_000]
