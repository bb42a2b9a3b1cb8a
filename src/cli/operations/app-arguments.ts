import type { Rivalscope } from '../../client/client.ts'
import type { Operations } from '../../client/operation-types.ts'
import { bundleIdForm, storeIdForm } from '../../vocabulary/ids.ts'
import type { TypedArguments } from './given.ts'
import type { Parameter } from './parameters.ts'
import { flagOf } from './words.ts'

/** A named app is ambiguous or unknown; the message names the command that lists apps. */
export class UnknownApp extends Error {}

type TrackedApp = Operations['list_aso_apps']['item']

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const storeAddress =
  /^https?:\/\/(?:apps|itunes)\.apple\.com\/(?:([a-z]{2})\/)?(?:.*\/)?(?:app\/)?id([1-9]\d{0,18})\b/i

/**
 * The arguments that name an app, with the kind of id that the contract takes. An `app` argument takes any kind but the id
 * of a tracked app.
 */
const wants: Readonly<Record<string, 'tracked' | 'store' | 'any'>> = {
  appId: 'tracked',
  storeId: 'store',
  rivalStoreId: 'store',
  app: 'any',
  competitor: 'any',
}

const isForeign = (name: string, text: string): boolean => {
  if (wants[name] === 'any') return uuid.test(text)
  if (wants[name] === 'tracked')
    return storeIdForm.test(text) || storeAddress.test(text) || bundleIdForm.test(text)
  return uuid.test(text) || storeAddress.test(text) || bundleIdForm.test(text)
}

const textsOf = (given: TypedArguments[string]): string[] =>
  typeof given === 'string' ? [given] : Array.isArray(given) ? given : []

/** Whether an app is given by another kind of id than the operation takes, so that the server has to resolve it. */
export const needsAppResolution = (parameters: readonly Parameter[], written: TypedArguments): boolean =>
  parameters.some(
    ({ name }) => name in wants && textsOf(written[name]).some((text) => isForeign(name, text.trim())),
  )

/**
 * Converts each given app to the kind of id that the operation takes. People may type an App Store id, a bundle id, an App
 * Store URL or the id of a tracked app.
 * @throws UnknownApp
 */
export async function resolveAppArguments(
  parameters: readonly Parameter[],
  written: TypedArguments,
  rivalscope: Rivalscope,
  signal: AbortSignal,
): Promise<TypedArguments> {
  const country = typeof written.country === 'string' ? written.country : undefined
  let tracked: Promise<TrackedApp[]> | undefined
  const finder: Finder = {
    country,
    tracked: () => (tracked ??= Array.fromAsync(rivalscope.listAsoApps({ limit: 100 }, { signal }))),
    search: async (bundleId) => {
      const { items } = await rivalscope.searchCompetitors(
        { q: bundleId, limit: 5, ...(country ? { country: country.toLowerCase() as 'us' } : {}) },
        { signal },
      )
      return items.find(
        ({ bundleId: known }) =>
          known.state === 'measured' && known.value.toLowerCase() === bundleId.toLowerCase(),
      )?.storeId
    },
  }
  const named: Record<string, TypedArguments[string]> = { ...written }
  for (const { name } of parameters) {
    if (!(name in wants)) continue
    const one = async (text: string) =>
      isForeign(name, text.trim()) ? nameOf(wants[name] === 'tracked', text.trim(), finder) : text
    const given = written[name]
    if (typeof given === 'string') named[name] = await one(given)
    else if (Array.isArray(given)) named[name] = await Promise.all(given.map(one))
  }
  return named
}

interface Finder {
  country: string | undefined
  tracked(): Promise<TrackedApp[]>
  /** The App Store id of a stored app. */
  search(bundleId: string): Promise<string | undefined>
}

async function nameOf(asTracked: boolean, text: string, finder: Finder): Promise<string> {
  if (uuid.test(text)) {
    const found = (await finder.tracked()).find(({ appId }) => appId === text.toLowerCase())
    if (found) return found.app.storeId
    throw new UnknownApp(
      `This account tracks no app with the id ${text}. rivalscope list-aso-apps lists those it tracks.`,
    )
  }
  const address = storeAddress.exec(text)
  const storeId = address?.[2] ?? (storeIdForm.test(text) ? text : await finder.search(text))
  if (storeId === undefined)
    throw new UnknownApp(
      `No stored app has the bundle id ${text}. rivalscope search-competitors --q NAME finds apps; rivalscope request-ios-competitor --app ${text} takes it in.`,
    )
  return asTracked ? trackedAs(storeId, text, finder, address?.[1]) : storeId
}

/** The id of a tracked app; an app that is tracked in several storefronts has several. */
async function trackedAs(storeId: string, text: string, finder: Finder, addressed?: string): Promise<string> {
  const all = (await finder.tracked()).filter(({ app }) => app.storeId === storeId)
  const wanted = (addressed ?? finder.country)?.toLowerCase()
  const fitting = all.filter(({ country }) => country === wanted)
  const [only, ...others] = fitting.length > 0 ? fitting : all
  if (!only)
    throw new UnknownApp(
      `This account does not track ${text}. rivalscope list-aso-apps lists what it tracks; rivalscope track-aso-app ${flagOf('app')} ${storeId} tracks it.`,
    )
  if (others.length === 0) return only.appId
  const ids = [only, ...others].map(({ appId, country }) => `${appId} (${country})`)
  throw new UnknownApp(
    `This account tracks ${text} in several storefronts; name it by its id: ${ids.join(', ')}.`,
  )
}
