import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ListingDraft, PlannedTexts } from '../../../api/listing-drafts.ts'
import { freshId } from '../../../api/watches.ts'
import { compactSearch } from '../../../ui/search-params.ts'
import { differencesOf } from './plan-text.ts'

/** A plan as it is written: what is saved, with what was typed since. */
interface Plan {
  draftId: string
  name: string
  texts: PlannedTexts
  /** The saved version that it rests on; null for a plan that was not saved. */
  version: number | null
}

/**
 * The plan of an address: a saved draft, or one that is not saved yet. What is typed stays in this browser until it is saved or given up, so
 * that neither a closed tab nor a session that ended loses it. Once the service has a new one, the address names it, also where the answer to
 * saving it was lost.
 * @param draftId the draft that the address names; undefined for a new one
 * @param drafts those that the service has
 */
export function usePlan(appId: string, draftId: string | undefined, drafts: readonly ListingDraft[]) {
  const navigate = useNavigate({ from: '/aso/$appId/plan' })
  const key = keyOf(appId, draftId)
  const [typed, setTyped] = useState(() => planIn(localStorage.getItem(key)))
  useEffect(() => {
    // Another tab with the same plan.
    const read = (event: StorageEvent) => event.key === key && setTyped(planIn(event.newValue))
    addEventListener('storage', read)
    return () => removeEventListener('storage', read)
  }, [key])
  const saved = drafts.find((draft) => draft.draftId === (typed?.draftId ?? draftId))
  const kept: Plan = saved ?? { draftId: '', name: '', texts: {}, version: null }
  const plan = typed ?? kept
  const isUnsaved = typed !== undefined && differ(typed, kept)
  const write = (next: Plan | undefined) => {
    setTyped(next)
    keep(key, next)
  }
  const savedAs = saved?.draftId
  useEffect(() => {
    if (!typed || !savedAs) return
    if (savedAs !== draftId) {
      keep(keyOf(appId, savedAs), isUnsaved ? typed : undefined)
      keep(key, undefined)
      void navigate({ search: (old) => compactSearch({ ...old, draft: savedAs }), replace: true })
    } else if (!isUnsaved) {
      keep(key, undefined)
      setTyped(undefined)
    }
  }, [appId, draftId, key, navigate, typed, savedAs, isUnsaved])
  return {
    plan,
    /** The plan as the service has it. */
    saved,
    isUnsaved,
    /** Somebody else changed or removed it, and something else is typed here. */
    isBehind: isUnsaved && (saved ? (typed.version ?? 0) < saved.version : typed.version !== null),
    change: (change: Partial<Pick<Plan, 'name' | 'texts' | 'version'>>) => {
      const next = { ...plan, draftId: plan.draftId || freshId(), ...change }
      write(differ(next, kept) ? next : undefined)
    },
    /** What was sent is stored now: what was typed while it was under way rests on it. */
    settle: (sent: Pick<Plan, 'name' | 'texts'>, { draftId: stored, version }: ListingDraft) => {
      const now = planIn(localStorage.getItem(key))
      if (now?.draftId === stored && differ(now, sent)) write({ ...now, version })
    },
    /** What is typed is given up; the saved one is shown. */
    discard: () => write(undefined),
  }
}

/** Keeps a plan as another one that is not saved yet. @returns its id */
export function keepAsNew(appId: string, { name, texts }: Plan): string {
  const copy: Plan = { draftId: freshId(), name: `${name.slice(0, 90)} (copy)`, texts, version: null }
  keep(keyOf(appId, copy.draftId), copy)
  return copy.draftId
}

/** Plans of an app that only this browser has, by the id in their address. */
export const plansOfBrowser = (
  appId: string,
  drafts: readonly ListingDraft[],
): { draftId: string; name: string }[] =>
  Object.keys(localStorage).flatMap((key) => {
    const [, draftId] = key.split(keyOf(appId, ''))
    const plan = draftId && draftId !== unnamed ? planIn(localStorage.getItem(key)) : undefined
    return draftId && plan && !drafts.some((draft) => draft.draftId === draftId)
      ? [{ draftId, name: plan.name }]
      : []
  })

/** The plan of an address that names no draft. */
const unnamed = 'new'

const keyOf = (appId: string, draftId: string = unnamed) => `rivalscope.plan.${appId}.${draftId}`

function keep(key: string, plan: Plan | undefined): void {
  if (plan) localStorage.setItem(key, JSON.stringify(plan))
  else localStorage.removeItem(key)
}

const differ = (one: Pick<Plan, 'name' | 'texts'>, other: Pick<Plan, 'name' | 'texts'>) =>
  one.name.trim() !== other.name || differencesOf(one.texts, other.texts).length > 0

/** The kept plan; undefined where there is none, and for what is no plan. */
function planIn(text: string | null): Plan | undefined {
  try {
    const { draftId, name, texts, version } = JSON.parse(text ?? '') as Partial<Plan>
    return typeof draftId === 'string' && typeof name === 'string' && typeof texts === 'object' && texts
      ? { draftId, name, texts, version: typeof version === 'number' ? version : null }
      : undefined
  } catch {
    return undefined
  }
}
