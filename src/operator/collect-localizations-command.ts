import { sql } from 'kysely'
import {
  type AppInLanguage,
  languagesBeside,
  trackedInLanguages,
} from '../domain/collecting/localization-checks.ts'
import { readLocalization } from '../jobs/collecting/collect-localizations.ts'
import { collectionPlan } from '../jobs/collecting/plan.ts'
import type { SourcesSettings } from '../sources/settings.ts'
import { type Database, firstRow } from '../storage/database.ts'
import type { LocalizationCode } from '../vocabulary/storefronts.ts'
import type { collectLocalizationsInput } from './collect.ts'
import { asked } from './collect-command.ts'
import { type CollectionTask, planned, runCollectionTasks } from './collection-tasks.ts'
import { Refusal } from './command.ts'
import type { Input } from './field-help.ts'
import { languageIn } from './import-command.ts'
import type { OperatorContext, Terminal } from './operator-context.ts'

/** As in the schedule, where it says nothing. */
const usualDays = 7

/** Reads pages of apps in other languages than the storefront's own: of those named, or of the tracked ones that are due. */
export async function collectLocalizationsCommand(
  context: OperatorContext,
  { storeIds, country, language, plan = false, json = false }: Input<typeof collectLocalizationsInput>,
): Promise<0 | 1> {
  const { db, terminal } = context
  const { collector, sources, current } = await context.collecting()
  const schedule = await current.schedule()
  const everyDays = schedule.localizations?.everyDays ?? usualDays
  const named = language?.map((text) => languageIn(text, country))
  const wanted = named ?? schedule.localizations?.languages ?? 'supported'
  const before = plan ? undefined : new Date(Date.now() - everyDays * 86_400_000)
  const pages = storeIds
    ? inLanguages(storeIds, country, named ?? languagesBeside(country, wanted))
    : await trackedInLanguages(db, wanted, before)
  if (plan) return showPlan(db, terminal, sources, { pages, everyDays, json })
  if (storeIds && pages.length === 0)
    throw new Refusal(`Apple's table names no other language for "${country}". Name one: --language fr-FR`)
  const tasks = pages.map((one): CollectionTask => {
    return {
      name: `page of ${one.storeId} (${one.country}, ${one.language})`,
      upstream: 'app-store-page',
      run: (signal) =>
        asked(async () => {
          const outcome = await readLocalization(db, collector, one, signal)
          return { outcome, message: outcome === 'empty' ? 'the storefront has no such page' : null }
        }),
    }
  })
  if (tasks.length === 0) terminal.note('No tracked app is due in another language: nothing is asked.')
  return runCollectionTasks(context, sources, tasks, json)
}

const inLanguages = (
  storeIds: readonly string[],
  country: string,
  languages: readonly LocalizationCode[],
): AppInLanguage[] =>
  storeIds.flatMap((storeId) => languages.map((language) => ({ storeId, country, language })))

/** What a plan compares itself with. */
const example = { apps: 10, storefronts: ['us', 'de', 'fr', 'jp', 'gb'] }

/** A plan: requests of one turn, what the pace makes of them, and what an answer takes on disk. */
async function showPlan(
  db: Database,
  terminal: Terminal,
  sources: SourcesSettings,
  { pages, everyDays, json }: { pages: readonly AppInLanguage[]; everyDays: number; json: boolean },
): Promise<0> {
  const of = (requests: number) => collectionPlan({ 'app-store-page': requests }, sources)
  const languages = example.storefronts.map((country) => languagesBeside(country, 'supported').length)
  const exampleRequests = example.apps * languages.reduce((sum, some) => sum + some, 0)
  const bytesEach = await bytesOfPage(db)
  const kilobytes = (requests: number) =>
    bytesEach === null
      ? ''
      : `, about ${Math.max(1, Math.round((requests * bytesEach) / 1000)).toLocaleString('en')} kB`
  if (json) {
    const { upstreams, minutes } = of(exampleRequests)
    const compared = { ...example, requests: exampleRequests, upstreams, minutes }
    terminal.out(
      JSON.stringify({
        everyDays,
        pages: pages.length,
        upstreams: of(pages.length).upstreams,
        bytesEach,
        example: compared,
      }),
    )
    return 0
  }
  const count = (of: 'storeId' | 'country', what: string) => {
    const found = new Set(pages.map((page) => page[of])).size
    return `${found.toLocaleString('en')} ${found === 1 ? what : `${what}s`}`
  }
  terminal.out(
    `${count('storeId', 'app')} in ${count('country', 'storefront')} with other languages, every ${everyDays} days:`,
  )
  for (const upstream of of(pages.length).upstreams)
    terminal.out(`  ${planned(upstream)}${kilobytes(pages.length)}`)
  terminal.out(
    `  one more language of an app: 1 request every ${everyDays} days${kilobytes(1)}${bytesEach === null ? '; no page is stored that would tell its size' : ' of page each time'}, and its texts where they changed`,
  )
  const [upstream] = of(exampleRequests).upstreams
  if (upstream)
    terminal.out(
      `  ${example.apps} apps in ${example.storefronts.join(', ')}: ${planned(upstream)}${kilobytes(exampleRequests)}`,
    )
  return 0
}

/** The mean size on disk of the newest stored pages; null where there is none. */
async function bytesOfPage(db: Database): Promise<number | null> {
  const found = await firstRow(
    db,
    sql<{ bytes: number | null }>`
      select avg(octet_length(content))::float8 as bytes from (
        select p.content from readings r join payloads p using (payload_hash, month)
        where r.format = 'app-page' order by r.reading_id desc limit 100
      ) newest`,
  )
  return found?.bytes ?? null
}
