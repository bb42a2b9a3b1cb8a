import type { SampleCountry } from './document.ts'

export type PerCountry<T> = Readonly<Record<SampleCountry, T>>

export const perCountry = <T>(value: (country: SampleCountry) => T): PerCountry<T> => ({
  us: value('us'),
  jp: value('jp'),
  de: value('de'),
})
