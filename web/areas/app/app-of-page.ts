import { useParams } from '@tanstack/react-router'
import type { ReplyOf } from '../../api/operations.ts'
import { useCountry } from '../../evidence/country.ts'
import type { Country } from '../../evidence/shapes.ts'

/** The app that the page is about, as its address names it, and the storefront. */
export function useAppOfPage(): { storeId: string; country: Country } {
  const { storeId } = useParams({ from: '/apps/$storeId' })
  return { storeId, country: useCountry() }
}

/** An app as its storefront's record tells it. */
export type AppRecord = ReplyOf<'get_competitor'>
