import { normalForm } from '../../text/normal-form.ts'
import {
  gratis,
  moneyOff,
  notAPrice,
  percentsOff,
  prices,
  spanInEnglish,
  tenthsOff,
  trials,
  unnumberedTrials,
} from './phrases/offers.ts'

export const offersFormula = 'offers/1'

/** What a sentence offers, in English words, and where the words that say so stand. */
export interface Offer {
  says: string
  at: number
  length: number
}

/** The offers of a sentence, the most telling first; empty when it makes none. Something is free or it has a trial, not both. */
export function offersIn(sentence: string): Offer[] {
  const trial = trialIn(sentence)
  const off = percentIn(sentence) ?? moneyOffIn(sentence)
  const price = priceIn(sentence)
  const free = trial ? undefined : firstMatch(gratis, sentence)
  return [trial, off, price, free && reported('Something free', free)].filter((each) => each !== undefined)
}

function trialIn(sentence: string): Offer | undefined {
  for (const match of matches(trials, sentence)) {
    const unit = spanInEnglish(match.groups?.span ?? '')
    const count = Number(normalForm(match.groups?.count ?? '1', 'NFKC'))
    if (unit && count > 0) return reported(`Free for ${count} ${unit}${count === 1 ? '' : 's'}`, match)
  }
  const match = firstMatch(unnumberedTrials, sentence)
  return match && reported('A free trial', match)
}

function percentIn(sentence: string): Offer | undefined {
  for (const match of matches(percentsOff, sentence)) {
    const per = Number(normalForm(match.groups?.count ?? match.groups?.other ?? '', 'NFKC').replace(',', '.'))
    if (per > 0 && per <= 100) return reported(`${per}% off`, match)
  }
  const tenths = tenthsOff.exec(sentence)
  return tenths
    ? reported(`${Number(normalForm(tenths.groups?.count ?? '', 'NFKC')) * 10}% off`, tenths)
    : undefined
}

function moneyOffIn(sentence: string): Offer | undefined {
  const match = firstMatch(moneyOff, sentence)
  return match && reported(`${match.groups?.price ?? ''} off`, match)
}

function priceIn(sentence: string): Offer | undefined {
  if (notAPrice.test(sentence)) return undefined
  const match = firstMatch(prices, sentence)
  return match && reported(`A price of ${match.groups?.price ?? ''}`, match)
}

const reported = (says: string, match: RegExpExecArray): Offer => ({
  says,
  at: match.index,
  length: match[0].length,
})

const matches = (patterns: readonly RegExp[], text: string): RegExpExecArray[] =>
  patterns.map((pattern) => pattern.exec(text)).filter((match) => match !== null)

const firstMatch = (patterns: readonly RegExp[], text: string): RegExpExecArray | undefined =>
  matches(patterns, text)[0]
