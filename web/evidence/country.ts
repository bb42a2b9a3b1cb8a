import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Country } from './shapes.ts'
import { isCountry } from './storefronts.ts'

const remembered = 'rivalscope.country'

/** The storefront of an address that names none: the one chosen last in this browser. */
export function defaultCountry(): Country {
  const stored = localStorage.getItem(remembered)
  return isCountry(stored) ? stored : 'us'
}

/** The storefront that the page is about. */
export function useCountry(): Country {
  return useSearch({ from: '__root__', select: ({ country }) => country }) ?? defaultCountry()
}

/** Changes the storefront of the page, and of those opened from now on. */
export function useChooseCountry(): (country: Country) => void {
  const navigate = useNavigate()
  return (country) => {
    localStorage.setItem(remembered, country)
    void navigate({ to: '.', search: (search) => ({ ...search, country }) })
  }
}
