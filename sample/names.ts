import type { Dice } from './dice.ts'
import type { SampleCountry } from './document.ts'
import { type PerCountry, perCountry } from './per-country.ts'
import type { Theme, Topic } from './words.ts'
import { manners, oddments } from './words.ts'

/** Apple allows 30 characters. */
const longestName = 30

export type Names = PerCountry<string>

export const sameName = (name: string): Names => perCountry(() => name)

/** An unused brand: a new combination of two words, sometimes written as one. */
export function inventBrand(theme: Theme, taken: Set<string>, dice: Dice): string {
  for (;;) {
    const brand = coin(dice.pick(theme.brands), dice)
    const key = brand.toLowerCase().replace(/[^a-z]/g, '')
    if (taken.has(key)) continue
    taken.add(key)
    return brand
  }
}

function coin(first: string, dice: Dice): string {
  const oddment = dice.pick(oddments)
  const form = dice.roll()
  if (form < 0.4) return `${first} ${oddment}`
  if (form < 0.55) return `${first}${oddment}`
  if (form < 0.75) return `${oddment} ${first}`
  if (form < 0.9) return `${dice.pick(manners)} ${oddment}`
  return `${first} & ${oddment}`
}

/** The brand with a description, if it fits; localised names use the language of the storefront. */
export function nameApp(brand: string, topic: Topic, localised: readonly SampleCountry[], dice: Dice): Names {
  const mark = dice.pick([': ', ': ', ': ', ' - ', ' – ', null])
  const us = mark ? titled(brand, mark, topic.en) : brand
  return {
    us,
    jp: localised.includes('jp') ? titled(brand, mark === ': ' ? '：' : (mark ?? ' '), topic.ja) : us,
    de: localised.includes('de') ? titled(brand, mark ?? ': ', topic.de) : us,
  }
}

function titled(brand: string, mark: string, topic: string): string {
  const [short = topic] = topic.split(' & ')
  const fitting = [topic, short]
    .map((text) => `${brand}${mark}${text}`)
    .find((name) => name.length <= longestName)
  return fitting ?? brand
}
