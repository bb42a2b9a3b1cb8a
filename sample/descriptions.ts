import type { Dice } from './dice.ts'
import type { Theme } from './words.ts'
import { anyGame, closings, foreignSentences, openings } from './words.ts'

/** 80 to 250 words of English that share their vocabulary with the other apps of the theme. */
export function describe(brand: string, topic: string, theme: Theme, dice: Dice): string {
  const isGame = theme.area === 'games'
  const about = `${lowerCase(topic)} ${isGame ? 'game' : 'app'}`
  const sentences = [
    ...dice.some(theme.sentences, dice.between(4, 6)),
    ...(isGame ? dice.some(anyGame, 2) : []),
  ]
  const half = Math.ceil(sentences.length / 2)
  return [
    fill(dice.pick(openings), brand, about),
    sentences.slice(0, half).join(' '),
    sentences.slice(half).join(' '),
    dice
      .some(theme.features, dice.between(3, 6))
      .map((feature) => `• ${feature}`)
      .join('\n'),
    dice.some(closings, dice.between(2, 3)).join(' '),
  ].join('\n\n')
}

/** The English half of a description whose first half is in the language of the maker. */
export function describeAbroad(theme: Theme, dice: Dice): string {
  return [
    dice.some(theme.sentences, 4).join(' '),
    dice
      .some(theme.features, 3)
      .map((feature) => `• ${feature}`)
      .join('\n'),
    dice.some(closings, 2).join(' '),
  ].join('\n\n')
}

/** The description of an app in a market that does not read English. */
export function describeIn(language: 'ja' | 'de' | 'zh', brand: string, topic: string, dice: Dice): string {
  const [first = '', ...rest] = foreignSentences[language]
  const chosen = [first, ...dice.some(rest, dice.between(5, 7))].map((line) => fill(line, brand, topic))
  const space = language === 'de' ? ' ' : ''
  return [chosen.slice(0, 3), chosen.slice(3)].map((paragraph) => paragraph.join(space)).join('\n\n')
}

const fill = (line: string, brand: string, topic: string) =>
  line.replaceAll('{brand}', brand).replaceAll('{topic}', topic)

/** Topics are in title case; in a sentence only abbreviations keep their capitals. */
const lowerCase = (topic: string) =>
  topic
    .split(' ')
    .map((word) => (/^[A-Z0-9]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ')
