import { useQueries } from '@tanstack/react-query'
import { read } from '../../api/operations.ts'
import { useCountry } from '../../evidence/country.ts'
import type { FactOf } from '../../evidence/shapes.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { Button } from '../../ui/Button.tsx'
import { searchesFor, suggestedApps } from './link-suggestions.ts'
import type { AdDetail } from './reading.ts'

/** Apps whose records are read for their sites. */
const mostRead = 4
const mostSuggested = 3

/** Apps that an ad may belong to by the pages that it leads to and by names, with why; nothing where there are none. */
export function SuggestedApps({
  ad,
  chosen,
  choose,
}: {
  ad: AdDetail
  chosen: string | undefined
  /** Called with what the suggestion rests on. */
  choose: (storeId: string, reasons: string) => void
}) {
  const country = useCountry()
  const clues = {
    advertiser: measured(ad.advertiser.name),
    landingPages: ad.creatives.flatMap(({ linkUrl }) => measured(linkUrl) ?? []),
    texts: ad.creatives.flatMap(({ title, body }) => [measured(title) ?? '', measured(body) ?? '']),
  }
  const searches = useQueries({
    queries: searchesFor(clues).map((q) => read('search_competitors', { q, country, limit: 5 })),
  })
  const linked = new Set(ad.links.map(({ app }) => app.storeId))
  const found = new Map(
    searches.flatMap(({ data }) => (data?.items ?? []).map((app) => [app.storeId, app] as const)),
  )
  const apps = [...found.values()].filter(({ storeId }) => !linked.has(storeId))
  const isLed = clues.landingPages.length > 0
  const records = useQueries({
    queries: (isLed ? apps.slice(0, mostRead) : []).map(({ storeId }) =>
      read('get_competitor', { platform: 'ios', storeId, country }),
    ),
  })
  const sites = new Map(
    records.flatMap(({ data }) => {
      const site = data && measured(data.sellerUrl)
      return site ? [[data.storeId, site] as const] : []
    }),
  )
  const suggestions = suggestedApps(
    clues,
    apps.map(({ storeId, name, icon, developer }) => ({
      ...{ storeId, name, icon: measured(icon), developer: measured(developer) },
      website: sites.get(storeId),
    })),
  ).slice(0, mostSuggested)
  if (suggestions.length === 0) return null
  return (
    <section className="stack gap-1" aria-label="Suggested apps">
      <p className="quiet small medium">Suggested, not linked yet</p>
      <ul className="stack gap-2">
        {suggestions.map(({ app: { storeId, name, icon }, reasons }) => (
          <li key={storeId} className="row nowrap gap-2">
            <AppIcon url={icon} name={name} size={28} />
            <span className="grow">
              <strong>
                <bdi>{name}</bdi>
              </strong>
              <span className="quiet small"> {reasons.join('; ')}</span>
            </span>
            <Button small isDisabled={chosen === storeId} onPress={() => choose(storeId, sentence(reasons))}>
              {chosen === storeId ? 'Selected' : 'Select'}
              <span className="hidden"> {name}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const sentence = (reasons: readonly string[]) => {
  const text = reasons.join('; ')
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}

const measured = <Value,>(fact: FactOf<Value>): Value | undefined =>
  fact.state === 'measured' ? fact.value : undefined
