import table from '../../data/offers.json' with { type: 'json' }
import { normalForm } from '../../text/normal-form.ts'
import { type PhraseRow, patternOfPhrase } from '../../text/phrase.ts'

export const offersFormula = 'offers/3'

const rows: Readonly<Record<keyof typeof table.offers, readonly PhraseRow[]>> = table.offers

const patternsOf = (name: keyof typeof rows): readonly RegExp[] =>
  rows[name].map((row) => patternOfPhrase(row, table.parts))

/** A number of free days, weeks or months; groups `count` and `span`. */
const trials = patternsOf('trials')

/** A trial whose length is not a number. */
const unnumberedTrials = patternsOf('unnumberedTrials')

/** A percentage off the price; group `count`, `other` or `most`. */
const percentsOff = patternsOf('percentsOff')

/** Half price, in words. */
const halfOff = patternsOf('halfOff')

/** Tenths off the price, as counted in Japanese; group `count`. */
const tenthsOff = patternsOf('tenthsOff')

/** The remaining price in tenths and hundredths, as counted in Chinese; groups `tenths` and `hundredths`. */
const tenthsLeft = patternsOf('tenthsLeft')

/** A price to pay; groups `price`, `won` and `yuan`. Possible savings or earnings are not a price. */
const prices = patternsOf('prices')

/** Words by which an amount of money is not a price to pay. */
const notAPrice = patternsOf('notAPrice')

/** Money taken off; group `price`. */
const moneyOff = patternsOf('moneyOff')

/** A lower price without a number. */
const sales = patternsOf('sales')

/** A money-back guarantee; groups `count` and `span` where its duration is stated. */
const moneyBack = patternsOf('moneyBack')

/** A risk-free trial; groups `count` and `span` where its duration is stated. */
const noRisk = patternsOf('noRisk')

/** Free delivery. */
const freeDelivery = patternsOf('freeDelivery')

/** Free products or services. */
const gratis = patternsOf('gratis')

/** A gift with a purchase or a visit; gift ideas do not count. */
const gifts = patternsOf('gifts')

/** Buy one, get one free. */
const oneMore = patternsOf('oneMore')

/** The pattern for all of its matches. */
const everywhere = (pattern: RegExp) => new RegExp(pattern.source, `${pattern.flags}g`)

/**
 * Words with "free" or a discount that are no offer: things the product is free of, terms of a sale, sayings, and things
 * that somebody is only looking for.
 */
const notOffered = patternsOf('notOffered').map(everywhere)

const spans = Object.entries(table.spans).map(([span, words]) => {
  const alternatives = patternOfPhrase({ anywhere: words })
  return { span, pattern: new RegExp(`^(?:${alternatives.source})$`, 'i') }
})

/** The English name of a span of time. */
const spanInEnglish = (word: string): string | undefined =>
  spans.find(({ pattern }) => pattern.test(word))?.span

type OfferKind = 'trial' | 'discount' | 'price' | 'money-back' | 'delivery' | 'free'

/** An offer of a sentence, in English words, with the position of the match. */
interface Offer {
  kind: OfferKind
  says: string
  at: number
  length: number
}

/**
 * The offers of a sentence, the most specific first; empty when it makes none. A free trial is not also reported as free.
 * Words that matched one pattern, or are known to be no offer, do not match another.
 */
export function offersIn(sentence: string): Offer[] {
  const back = moneyBackIn(sentence)
  const kept = notOffered.reduce(without, back ? blanked(sentence, back.at, back.length) : sentence)
  const delivered = offered('delivery', 'Free delivery', firstMatch(freeDelivery, kept))
  const rest = freeDelivery.map(everywhere).reduce(without, kept)
  const trial = trialIn(rest)
  const off =
    percentIn(rest) ?? moneyOffIn(rest) ?? offered('discount', 'A lower price', firstMatch(sales, rest))
  const price = priceIn(rest)
  const free =
    offered('free', 'A gift', firstMatch(gifts, rest)) ??
    offered('free', 'One more for the same price', firstMatch(oneMore, rest)) ??
    (trial ? undefined : offered('free', 'Something free', firstMatch(gratis, rest)))
  return [trial, off, price, back, free, delivered].filter((each) => each !== undefined)
}

/** The text with its words masked by as many characters, so that positions remain valid. */
const blanked = (text: string, at: number, length: number) =>
  text.slice(0, at) + '_'.repeat(length) + text.slice(at + length)

const without = (text: string, pattern: RegExp) => text.replace(pattern, (match) => '_'.repeat(match.length))

function trialIn(sentence: string): Offer | undefined {
  for (const match of matches(trials, sentence)) {
    const span = spanOf(match)
    if (span) return reported('trial', `Free for ${span}`, match)
  }
  return offered('trial', 'A free trial', firstMatch(unnumberedTrials, sentence))
}

/** For example "7 days"; undefined where none is stated. */
function spanOf({ groups }: RegExpExecArray): string | undefined {
  const unit = spanInEnglish(groups?.span ?? '')
  const count = Number(normalForm(groups?.count ?? '1', 'NFKC'))
  return unit && count > 0 ? `${count} ${unit}${count === 1 ? '' : 's'}` : undefined
}

function moneyBackIn(sentence: string): Offer | undefined {
  const back = firstMatch(moneyBack, sentence)
  if (back) return reported('money-back', forSpan('Money back', back), back)
  const safe = firstMatch(noRisk, sentence)
  return safe && reported('money-back', forSpan('Risk-free', safe), safe)
}

const forSpan = (says: string, match: RegExpExecArray) => {
  const span = spanOf(match)
  return span ? `${says} for ${span}` : says
}

function percentIn(sentence: string): Offer | undefined {
  for (const match of matches(percentsOff, sentence)) {
    const per = Number(
      normalForm(match.groups?.count ?? match.groups?.other ?? match.groups?.most ?? '', 'NFKC').replace(
        ',',
        '.',
      ),
    )
    if (per > 0 && per <= 100) return reported('discount', `${per}% off`, match)
  }
  const half = firstMatch(halfOff, sentence)
  if (half) return reported('discount', '50% off', half)
  const [tenths] = matches(tenthsOff, sentence)
  if (tenths)
    return reported('discount', `${Number(normalForm(tenths.groups?.count ?? '', 'NFKC')) * 10}% off`, tenths)
  const [left] = matches(tenthsLeft, sentence)
  return (
    left &&
    reported('discount', `${100 - digit(left.groups?.tenths) * 10 - digit(left.groups?.hundredths)}% off`, left)
  )
}

/** The value of a digit, Arabic or Chinese; 0 without one. */
const digit = (one = '0') => (/\d/.test(one) ? Number(one) : '零一二三四五六七八九'.indexOf(one))

function moneyOffIn(sentence: string): Offer | undefined {
  const match = firstMatch(moneyOff, sentence)
  return match && reported('discount', `${match.groups?.price ?? ''} off`, match)
}

function priceIn(sentence: string): Offer | undefined {
  if (notAPrice.some((pattern) => pattern.test(sentence))) return undefined
  const match = firstMatch(prices, sentence)
  const { price, won, yuan } = match?.groups ?? {}
  if (!/[1-9１-９]/.test(price ?? won ?? yuan ?? '')) return undefined
  return match && reported('price', `A price of ${price ?? won ?? yuan ?? ''}`, match)
}

const offered = (kind: OfferKind, says: string, match: RegExpExecArray | undefined) =>
  match && reported(kind, says, match)

const reported = (kind: OfferKind, says: string, match: RegExpExecArray): Offer => ({
  kind,
  says,
  at: match.index,
  length: match[0].length,
})

/** Matches of patterns that are not negated. */
const matches = (patterns: readonly RegExp[], text: string): RegExpExecArray[] =>
  patterns
    .map((pattern) => pattern.exec(text))
    .filter((match) => match !== null)
    .filter((match) => !isDenied(text, match))

/** Characters before and after an offer that are searched for a negation. */
const near = 40

function isDenied(text: string, { index, 0: words }: RegExpExecArray): boolean {
  const before = text.slice(Math.max(0, index - near), index)
  const end = index + words.length
  return deniedBefore.some((pattern) => pattern.test(before)) || deniedAfter.test(text.slice(end, end + near))
}

const firstMatch = (patterns: readonly RegExp[], text: string): RegExpExecArray | undefined =>
  matches(patterns, text)[0]

/** Endings of the text before an offer that negate it. */
const deniedBefore: readonly RegExp[] = [
  /(?<![\p{L}\p{N}])(?:no|not|never|without|isn['’]t|aren['’]t|wasn['’]t|ain['’]t|don['’]t (?:offer|have|need)|doesn['’]t (?:offer|have|need)|no longer|nor|neither)(?: (?:an?|any|the|really|entirely|completely|your|even|for|in|actually|totally|it|more))?\s*$/iu,
  /(?<![\p{L}\p{N}])(?:kein\p{L}{0,2}|nicht|nie|ohne|niemals|geen|niet|zonder|nooit)(?: (?:ganz|völlig|wirklich|einen?|eine[rnsm]?|helemaal|een|mehr))?\s*$/iu,
  /(?<![\p{L}\p{N}])(?:pas|sans|aucune?|jamais|n['’]est plus)(?: (?:d['’]|de|une?|entièrement|vraiment|totalement))?\s*$/iu,
  /(?<![\p{L}\p{N}])(?:no|sin|ning[uú]n\p{L}?|nunca|jamás|não|sem|nenhum\p{L}?|non|senza|nessun\p{L}?)(?: (?:es|está|son|hay|tiene|será|é|são|há|tem|è|sono|c['’]è|una?|uma?|del todo|totalmente))?\s*$/iu,
  /(?<![\p{L}\p{N}])(?:не|нет|без|никак\p{L}{1,3})(?: (?:совсем|является))?\s*$/iu,
  /(?:不是|并非|並非|不再|没有|沒有|不|非)\s*$/u,
]

/** Beginnings of the text after an offer that negate it. */
const deniedAfter =
  /^(?:[\p{Script=Hiragana}]{0,4}(?:では(?:なく|ない|ありません)|じゃ(?:ない|ありません)|でない)|[가-힣]{0,2}\s*(?:아닙니다|아니|않))/u
