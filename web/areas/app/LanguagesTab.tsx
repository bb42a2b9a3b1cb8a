import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  type LocalizationCode,
  localizationOf,
  localizationTable,
  searchPractice,
} from '../../../src/vocabulary/storefronts.ts'
import { type ReplyOf, read } from '../../api/operations.ts'
import { readTogether } from '../../api/read-together.ts'
import { Fact, NotMeasured } from '../../evidence/Fact.tsx'
import { countryName, dayText } from '../../evidence/format.ts'
import type { Country } from '../../evidence/shapes.ts'
import { comparedRivalsOf, useTrackedApps } from '../../evidence/tracked.ts'
import { AppPicker } from '../../ui/AppPicker.tsx'
import { customProperties } from '../../ui/css.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Badge, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'
import { ShownTogether } from '../../ui/ShownTogether.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { useAppOfPage } from './app-of-page.ts'
import { RequestData } from './RequestData.tsx'
import { localizationQueryOf } from './tab-reads.ts'

type Localizations = ReplyOf<'get_competitor'>['localizations']
type Localized = NonNullable<ReplyOf<'get_competitor'>['localization']>

/** The listing in every language of the storefront, beside that of another app. */
export function LanguagesTab() {
  const { storeId, country } = useAppOfPage()
  const { language, beside } = useSearch({ from: '/apps/$storeId/languages' })
  const navigate = useNavigate({ from: '/apps/$storeId/languages' })
  const rival = useRival(storeId, country, beside)
  const own = useQuery(read('get_competitor', { storeId, country }))
  return (
    <ShownTogether skeleton={<Skeleton height={520} />}>
      <Loaded query={own} skeleton={<Skeleton height={520} />}>
        {({ localizations, name }) => {
          const chosen = (language as LocalizationCode | undefined) ?? localizations.default
          return (
            <>
              <div style={{ maxWidth: 420 }}>
                <AppPicker
                  label="Compare with"
                  most={1}
                  values={rival ? [rival] : []}
                  onChange={([id]) =>
                    void navigate({ search: (search) => compactSearch({ ...search, beside: id ?? 'none' }) })
                  }
                />
              </div>
              <AllLanguages
                localizations={localizations}
                name={name ?? storeId}
                rival={rival}
                chosen={chosen}
              />
              <Panel title={`Texts in ${nameOf(chosen)}`}>
                <div className="tiles spread top gap-5" style={customProperties({ '--tile': '320px' })}>
                  <Texts storeId={storeId} country={country} language={chosen} />
                  {rival && <Texts storeId={rival} country={country} language={chosen} />}
                </div>
              </Panel>
            </>
          )
        }}
      </Loaded>
    </ShownTogether>
  )
}

/** The app beside: the one of the address, else the first rival that is tracked in the storefront. */
function useRival(storeId: string, country: Country, beside: string | undefined): string | undefined {
  const here = useTrackedApps(country)
  if (beside) return beside === 'none' ? undefined : beside
  const [apps, tracked] = [[...here.values()], here.get(storeId)]
  const rivals = tracked ? comparedRivalsOf(tracked, apps) : apps.filter(({ role }) => role === 'rival')
  return rivals[0]?.app.storeId
}

const nameOf = (language: LocalizationCode) => localizationOf(language).name

interface Row {
  language: LocalizationCode
  isChosen: boolean
  isDefault: boolean
  isSupported: boolean
  apps: readonly { storeId: string; localizations: Localizations }[]
}

/** What is known of each language: the default first, then those that are known. */
function AllLanguages({
  localizations,
  name,
  rival,
  chosen,
}: {
  localizations: Localizations
  name: string
  rival: string | undefined
  chosen: LocalizationCode
}) {
  const { storeId, country } = useAppOfPage()
  const other = useQuery({
    ...readTogether('get_competitor', { storeId: rival ?? storeId, country }),
    enabled: rival !== undefined,
  }).data
  const { rows, columns } = useMemo(() => {
    const apps = [
      { storeId, name, localizations },
      ...(rival && other
        ? [{ storeId: rival, name: other.name ?? rival, localizations: other.localizations }]
        : []),
    ]
    const unsupported = apps.flatMap((app) => app.localizations.unsupported)
    const languages = new Set(apps.flatMap((app) => languagesOf(app.localizations)))
    const rowOf = (language: LocalizationCode): Row => ({
      language,
      isChosen: language === chosen,
      isDefault: language === localizations.default,
      isSupported: !unsupported.includes(language),
      apps,
    })
    return { rows: [...languages].map(rowOf), columns: [languageColumn, ...apps.map(appColumn)] }
  }, [storeId, name, localizations, rival, other, chosen])
  return (
    <Panel
      title={`Listing languages in ${countryName(country)}`}
      note={
        <>
          Languages supported by Apple in this storefront as of {dayText(localizationTable.asOf)}
          <details>
            <summary>How search uses them</summary>
            {searchPractice}
          </details>
        </>
      }
      actions={<RequestData kinds={['record']} />}
      flush
    >
      <DataTable
        label="Listing languages"
        rows={rows}
        rowId={({ language }) => language}
        columns={columns}
        file="languages"
        minWidth={640}
        empty={null}
      />
    </Panel>
  )
}

const languagesOf = ({ default: own, known, absent, notMeasured }: Localizations) => [
  own,
  ...known,
  ...absent,
  ...notMeasured,
]

const languageColumn: Column<Row> = {
  id: 'language',
  name: 'Language',
  value: ({ language }) => nameOf(language),
  cell: ({ language, isChosen, isDefault, isSupported }) => (
    <>
      <Link
        to="."
        search={(search) => ({ ...search, language })}
        resetScroll={false}
        aria-current={isChosen ? 'true' : undefined}
        className={isChosen ? 'bold' : undefined}
      >
        {nameOf(language)}
      </Link>{' '}
      <span className="quiet small">
        {language}
        {isDefault && ', default'}
        {!isSupported && ', not supported here'}
      </span>
    </>
  ),
}

const appColumn = ({ name }: { name: string }, at: number): Column<Row> => ({
  id: at === 0 ? 'own' : 'beside',
  name,
  value: ({ language, apps }) => stateOf(apps[at]?.localizations, language),
  cell: ({ language, apps }) => {
    const app = apps[at]
    return app && <State {...app} language={language} />
  },
})

function stateOf(localizations: Localizations | undefined, language: LocalizationCode) {
  if (!localizations) return null
  const { default: own, known, absent } = localizations
  if (language === own || known.includes(language)) return 'localized'
  return absent.includes(language) ? 'same as default' : 'not collected'
}

/** The name in a language where it is known, else why it is not. */
function State({
  localizations,
  language,
  storeId,
}: {
  localizations: Localizations
  language: LocalizationCode
  storeId: string
}) {
  const { country } = useAppOfPage()
  const state = stateOf(localizations, language)
  const { data } = useQuery({
    ...localizationQueryOf(storeId, country, language),
    enabled: state === 'localized',
  })
  if (state === 'same as default') return <Badge>{state}</Badge>
  if (state === 'not collected') return <NotMeasured reason="never-collected" />
  const { name, subtitle } = data?.localization?.texts ?? {}
  if (!data?.localization || !name) return <Skeleton height={18} width={180} />
  return (
    <span className="foreign" lang={language}>
      <Fact fact={name} evidence={data.localization.evidence} format={(text) => <bdi>{text}</bdi>} />
      {subtitle?.state === 'measured' && (
        <span className="quiet small" style={{ display: 'block' }}>
          <bdi>{subtitle.value}</bdi>
        </span>
      )}
    </span>
  )
}

const textNames = {
  name: 'Name',
  subtitle: 'Subtitle',
  description: 'Description',
  releaseNotes: 'What’s New',
} as const satisfies Record<keyof Localized['texts'], string>

/** The texts of an app in a language. */
function Texts({
  storeId,
  country,
  language,
}: {
  storeId: string
  country: Country
  language: LocalizationCode
}) {
  const query = useQuery(localizationQueryOf(storeId, country, language))
  return (
    <Loaded query={query} skeleton={<Skeleton height={240} />}>
      {({ name, localization }) => (
        <section className="stack shrinks">
          <h3 className="foreign">
            <bdi>{name ?? storeId}</bdi>
          </h3>
          {localization?.state === 'absent' ? (
            <p className="quiet">
              Not localized in {nameOf(language)}: the App Store shows the texts of the default language.
            </p>
          ) : localization?.state === 'measured' ? (
            <dl className="stack" lang={language}>
              {Object.entries(textNames).map(([field, title]) => (
                <div key={field}>
                  <dt className="quiet small">{title}</dt>
                  <dd className="foreign anywhere" dir="auto" style={{ whiteSpace: 'pre-line' }}>
                    <Fact
                      fact={localization.texts[field as keyof Localized['texts']]}
                      evidence={localization.evidence}
                      format={(text) => text}
                    />
                  </dd>
                </div>
              ))}
            </dl>
          ) : (
            <p className="quiet">
              Not collected in {nameOf(language)} yet. Languages of tracked apps are collected weekly while the
              schedule is on.
            </p>
          )}
        </section>
      )}
    </Loaded>
  )
}
