import type { z } from 'zod'
import type { SeriesSource } from '../contract/shapes/evidence.ts'
import type { NamedReading } from '../domain/evidence/reading.ts'
import { surfaces } from '../vocabulary/provenance.ts'
import type { StorefrontCode } from '../vocabulary/storefronts.ts'
import { refuseInput } from './problem.ts'

/** The provenance of a point of a series. */
export type PointProvenance = Omit<NamedReading, 'readingId'>

/** The sources of the points of a series, deduplicated: ninety days of one feed name it once instead of ninety times. */
export class SeriesSources {
  readonly list: z.output<typeof SeriesSource>[] = []
  readonly #country: StorefrontCode
  readonly #places = new Map<string, number>()

  constructor(country: StorefrontCode) {
    this.#country = country
  }

  /** The fields of a point: its time of observation, and the index of its source. */
  at(
    observedAt: Date | number,
    { source, origin, timeBasis }: PointProvenance,
  ): { observedAt: string; source: number } {
    return {
      observedAt: new Date(observedAt).toISOString(),
      source: this.#placeOf({ source, origin, timeBasis }),
    }
  }

  #placeOf({ source, origin, timeBasis }: PointProvenance): number {
    const name = `${source} ${origin} ${timeBasis}`
    const known = this.#places.get(name)
    if (known !== undefined) return known
    this.#places.set(name, this.list.length)
    return this.list.push({ source, origin, surface: surfaces[source], country: this.#country, timeBasis }) - 1
  }
}

/** A history may span three years: a point for every day. */
const longestWindowDays = 1_100

/** Refuses a window of days that is too long; one without an end ends today. @throws Problem `invalid-request` */
export function refuseLongWindow({ from, to }: { from?: string | undefined; to?: string | undefined }): void {
  if (from && Date.parse(to ?? new Date().toISOString()) - Date.parse(from) > longestWindowDays * 86_400_000)
    refuseInput([{ pointer: '/query/from', message: `a window spans at most ${longestWindowDays} days` }])
}
