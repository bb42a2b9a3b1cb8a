import { useEffect, useState } from 'react'
import { type ListingTexts, listingFields } from './listing-text.ts'

/** Texts that were typed and sent nowhere: kept in this browser for each tracked app, until they are given up. */
export function useDraft(
  appId: string,
  stored: ListingTexts,
): {
  texts: ListingTexts
  change: (change: Partial<ListingTexts>) => void
  discard: () => void
  isChanged: boolean
} {
  const key = `rivalscope.listing.${appId}`
  const [draft, setDraft] = useState(() => draftOf(localStorage.getItem(key)))
  useEffect(() => {
    // Another tab with the same app.
    const read = (event: StorageEvent) => event.key === key && setDraft(draftOf(event.newValue))
    addEventListener('storage', read)
    return () => removeEventListener('storage', read)
  }, [key])
  const texts = { ...stored, ...draft }
  return {
    texts,
    change: (change) => {
      const next = { ...draft, ...change }
      localStorage.setItem(key, JSON.stringify(next))
      setDraft(next)
    },
    discard: () => {
      localStorage.removeItem(key)
      setDraft({})
    },
    isChanged: listingFields.some((field) => texts[field] !== stored[field]),
  }
}

/** The saved draft; invalid parts are dropped. */
function draftOf(text: string | null): Partial<ListingTexts> {
  try {
    const kept = JSON.parse(text ?? '{}') as Record<string, unknown> | null
    return Object.fromEntries(
      listingFields.flatMap((field) => {
        const value = kept?.[field]
        return typeof value === 'string' ? [[field, value]] : []
      }),
    )
  } catch {
    return {}
  }
}
