import { useEffect, useState } from 'react'
import type { ListingDraft, PlannedTexts } from '../../../api/listing-drafts.ts'
import { freshId } from '../../../api/watches.ts'
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
 * that neither a closed tab nor a session that ended loses it.
 * @param saved the draft as the service has it; undefined for a new one, and for one that was removed
 */
export function usePlan(appId: string, draftId: string | undefined, saved: ListingDraft | undefined) {
  const key = `rivalscope.plan.${appId}.${draftId ?? 'new'}`
  const [typed, setTyped] = useState(() => planIn(localStorage.getItem(key)))
  useEffect(() => {
    // Another tab with the same plan.
    const read = (event: StorageEvent) => event.key === key && setTyped(planIn(event.newValue))
    addEventListener('storage', read)
    return () => removeEventListener('storage', read)
  }, [key])
  const kept: Plan = saved
    ? { draftId: saved.draftId, name: saved.name, texts: saved.texts, version: saved.version }
    : { draftId: draftId ?? '', name: '', texts: {}, version: null }
  const plan = typed ?? kept
  const saysMore = (one: Plan) =>
    one.name.trim() !== kept.name || differencesOf(one.texts, kept.texts).length > 0
  const isUnsaved = typed !== undefined && saysMore(typed)
  const write = (next: Plan | undefined) => {
    if (next) localStorage.setItem(key, JSON.stringify(next))
    else localStorage.removeItem(key)
    setTyped(next)
  }
  return {
    plan,
    isUnsaved,
    /** Somebody else changed or removed it, and something else is typed here. */
    isBehind: isUnsaved && typed.version !== null && typed.version !== saved?.version,
    change: (change: Partial<Pick<Plan, 'name' | 'texts' | 'version'>>) => {
      const next = { ...plan, draftId: plan.draftId || freshId(), ...change }
      write(saysMore(next) ? next : undefined)
    },
    /** What is typed is given up; the saved one is shown. */
    discard: () => write(undefined),
  }
}

/** Keeps a plan as another one that is not saved yet. @returns its id */
export function keepAsNew(appId: string, { name, texts }: Plan): string {
  const copy: Plan = { draftId: freshId(), name: `${name.slice(0, 90)} (copy)`, texts, version: null }
  localStorage.setItem(`rivalscope.plan.${appId}.${copy.draftId}`, JSON.stringify(copy))
  return copy.draftId
}

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
