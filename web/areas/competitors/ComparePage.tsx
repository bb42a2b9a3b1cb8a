import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo } from 'react'
import {
  mostCompared,
  rememberCompared,
  type Subject,
  subjectKey,
  subjectsIn,
  subjectsText,
} from '../../evidence/compared.ts'
import { useCountry } from '../../evidence/country.ts'
import { count, countryName } from '../../evidence/format.ts'
import { comparedRivalsOf, trackedApps } from '../../evidence/tracked.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { AppPicker } from '../../ui/AppPicker.tsx'
import { Button, IconButton, LinkButton } from '../../ui/Button.tsx'
import { X } from '../../ui/icons.ts'
import { Empty, Filters, Page, Panel, Problem, Skeleton, SourceIssues } from '../../ui/parts.tsx'
import styles from './compare.module.css'
import { type Compared, useCompared } from './compare.ts'
import { groups } from './compare-rows.tsx'
import { Keywords } from './KeywordMatrix.tsx'

/** Up to six apps side by side, or one across storefronts: what is known of each, and the keywords of all. */
export function ComparePage() {
  const { apps } = useSearch({ from: '/apps/compare' })
  const country = useCountry()
  const subjects = useMemo(() => subjectsIn(apps, country), [apps, country])
  const { compared, isReading, error } = useCompared(subjects)
  useEffect(() => rememberCompared(subjects), [subjects])
  const several = new Set(subjects.map((subject) => subject.country)).size > 1
  const names = compared.map(({ subject, record }) => {
    const name = record?.name ?? nameElsewhere(compared, subject)
    return several ? `${name}, ${subject.country.toUpperCase()}` : name
  })
  const named = names.join('\n')
  const nameOf = useCallback((at: number) => named.split('\n')[at] ?? '', [named])
  const trouble = compared.flatMap(({ record }) => record?.trouble ?? [])
  return (
    <Page
      title="Compare apps"
      subtitle={
        subjects.length === 0
          ? 'Up to six apps side by side'
          : `${count(subjects.length)} of ${mostCompared}, ${several ? 'each in its own storefront' : countryName(subjects[0]?.country ?? country)}`
      }
    >
      <Choice subjects={subjects} compared={compared} />
      {subjects.length === 0 ? (
        <Empty
          title="No apps selected"
          action={
            <div className="row">
              <LinkButton to="/apps">Search apps</LinkButton>
              <LinkButton to="/aso">Tracked apps</LinkButton>
            </div>
          }
        >
          Add an app above, or use the compare button in any list of apps.
        </Empty>
      ) : (
        <>
          <SourceIssues
            trouble={trouble.filter(
              (one, at) =>
                trouble.findIndex(
                  ({ source, country: where }) => source === one.source && where === one.country,
                ) === at,
            )}
          />
          {error !== null && !isReading && <Problem error={error} />}
          <SideBySide compared={compared} isReading={isReading} />
          <Keywords subjects={subjects} nameOf={nameOf} />
        </>
      )}
    </Page>
  )
}

/** Which apps: one by one, the rivals of a tracked app, or one app in all storefronts that are stored. */
function Choice({ subjects, compared }: { subjects: readonly Subject[]; compared: readonly Compared[] }) {
  const navigate = useNavigate({ from: '/apps/compare' })
  const country = useCountry()
  const tracked = useQuery(trackedApps).data ?? []
  const set = (next: readonly Subject[]) =>
    void navigate({
      search: ({ apps: _, sort: __, ...others }) => {
        const apps = subjectsText(next.slice(0, mostCompared))
        return { ...others, ...(apps ? { apps } : {}) }
      },
      resetScroll: false,
    })
  const [first] = subjects
  const ownTracked = tracked.find(
    ({ app, country: where }) => app.storeId === first?.storeId && where === first.country,
  )
  const rivals = ownTracked
    ? comparedRivalsOf(ownTracked, tracked).map(({ app, country: where }) => ({
        storeId: app.storeId,
        country: where,
      }))
    : []
  const elsewhere = compared[0]?.record?.alsoIn ?? []
  return (
    <Filters label="Apps to compare">
      <div style={{ width: 'min(320px, 100%)' }}>
        <AppPicker
          label={`Add app (${countryName(country)})`}
          values={[]}
          onChange={([storeId]) => {
            if (storeId && !subjects.some((one) => subjectKey(one) === subjectKey({ storeId, country })))
              set([...subjects.slice(0, mostCompared - 1), { storeId, country }])
          }}
        />
      </div>
      {first && (
        <Button isDisabled={rivals.length === 0} onPress={() => set([first, ...rivals])}>
          Compare with competitors
        </Button>
      )}
      {first && (
        <Button
          isDisabled={elsewhere.length === 0}
          onPress={() =>
            set([first, ...elsewhere.map((where) => ({ storeId: first.storeId, country: where }))])
          }
        >
          Compare across storefronts
        </Button>
      )}
      {subjects.length > 0 && (
        <Button look="bare" onPress={() => set([])}>
          Clear
        </Button>
      )}
    </Filters>
  )
}

/** What is known of each, row by row, each value with where it comes from and when it was observed. */
function SideBySide({ compared, isReading }: { compared: readonly Compared[]; isReading: boolean }) {
  const navigate = useNavigate({ from: '/apps/compare' })
  const remove = (key: string) =>
    void navigate({
      search: ({ apps: _, sort: __, ...others }) => {
        const apps = subjectsText(
          compared.map(({ subject }) => subject).filter((one) => subjectKey(one) !== key),
        )
        return { ...others, ...(apps ? { apps } : {}) }
      },
      resetScroll: false,
    })
  return (
    <Panel title="Side by side" flush>
      {isReading ? (
        <div className="pad">
          <Skeleton height={980} />
        </div>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard
        <section className="scrolls" aria-label="Comparison of apps" tabIndex={0}>
          <table className={`${styles.compared} full`} style={{ minWidth: 130 + compared.length * 190 }}>
            <thead>
              <tr>
                <td />
                {compared.map((one) => (
                  <th key={subjectKey(one.subject)} scope="col">
                    <Head
                      compared={one}
                      name={one.record?.name ?? nameElsewhere(compared, one.subject)}
                      onRemove={() => remove(subjectKey(one.subject))}
                    />
                  </th>
                ))}
              </tr>
            </thead>
            {groups.map(({ name, rows }) => (
              <tbody key={name}>
                <tr>
                  <th scope="colgroup" colSpan={compared.length + 1} className={styles.group}>
                    {name}
                  </th>
                </tr>
                {rows.map((row) => (
                  <tr key={row.name}>
                    <th scope="row">{row.name}</th>
                    {compared.map((one) => {
                      const reply = one[row.of]
                      return (
                        <td key={subjectKey(one.subject)}>
                          {reply ? row.cell(reply as never) : <span className="quiet">not loaded</span>}
                        </td>
                      )
                    })}
                  </tr>
                ))}
              </tbody>
            ))}
          </table>
        </section>
      )}
    </Panel>
  )
}

/** What the app is called in another storefront of these, where nothing of it is stored in its own. */
const nameElsewhere = (compared: readonly Compared[], { storeId }: Subject): string =>
  compared.find(({ subject, record }) => subject.storeId === storeId && record?.name)?.record?.name ??
  `App ${storeId}`

function Head({
  compared: { subject, record },
  name,
  onRemove,
}: {
  compared: Compared
  name: string
  onRemove: () => void
}) {
  const { storeId, country } = subject
  return (
    <div className="row nowrap between top normal">
      <Link
        to="/apps/$storeId"
        params={{ storeId }}
        search={{ country }}
        className="row nowrap shrinks ink medium"
      >
        <AppIcon url={record?.icon.state === 'measured' ? record.icon.value : null} name={name} size={32} />
        <span className="stack gap-0 shrinks">
          <bdi className="clamp lines-2">{name}</bdi>
          <span className="quiet small regular">{countryName(country)}</span>
        </span>
      </Link>
      <span data-screen-only>
        <IconButton
          label={`Remove ${name}, ${countryName(country)}`}
          icon={<X size={15} aria-hidden="true" />}
          onPress={onRemove}
        />
      </span>
    </div>
  )
}
