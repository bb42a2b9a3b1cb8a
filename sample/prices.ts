import { storefrontOf } from '../src/vocabulary/storefronts.ts'
import type { SampleCountry } from './document.ts'

/** The same step of Apple's price list in each storefront. Step 0 is free. */
const steps: readonly (readonly [usd: number, jpy: number, eur: number])[] = [
  [0, 0, 0],
  [0.99, 160, 0.99],
  [1.99, 300, 1.99],
  [2.99, 500, 2.99],
  [3.99, 600, 3.99],
  [4.99, 800, 4.99],
  [6.99, 1100, 6.99],
  [9.99, 1500, 9.99],
  [14.99, 2300, 14.99],
  [19.99, 3000, 19.99],
  [29.99, 4500, 29.99],
]

export const dearestStep = steps.length - 1

const free = { us: 'Free', jp: '無料', de: 'Gratis' } as const

export type Price = { readonly amount: number; readonly currency: string; readonly text: string }

export function priceIn(country: SampleCountry, step: number): Price {
  const [usd, jpy, eur] = steps[step] ?? [0, 0, 0]
  const amount = { us: usd, jp: jpy, de: eur }[country]
  const text = {
    us: `$${usd.toFixed(2)}`,
    jp: `¥${jpy.toLocaleString('en-US')}`,
    de: `${eur.toFixed(2).replace('.', ',')} €`,
  }[country]
  return { amount, currency: storefrontOf(country).currency, text: step === 0 ? free[country] : text }
}
