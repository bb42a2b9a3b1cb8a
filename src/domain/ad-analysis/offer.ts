import { normalForm } from '../../text/normal-form.ts'
import { unspaced, words } from '../../text/phrase.ts'
import {
  freeDelivery,
  gifts,
  gratis,
  halfOff,
  moneyBack,
  moneyOff,
  noRisk,
  notAPrice,
  oneMore,
  percentsOff,
  prices,
  sales,
  spanInEnglish,
  tenthsLeft,
  tenthsOff,
  trials,
  unnumberedTrials,
} from './phrases/offers.ts'

export const offersFormula = 'offers/3'

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
  const rest = freeDelivery.reduce(
    (text, pattern) => without(text, new RegExp(pattern, `${pattern.flags}g`)),
    kept,
  )
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
  const [tenths] = matches([tenthsOff], sentence)
  if (tenths)
    return reported('discount', `${Number(normalForm(tenths.groups?.count ?? '', 'NFKC')) * 10}% off`, tenths)
  const [left] = matches([tenthsLeft], sentence)
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
  if (notAPrice.test(sentence)) return undefined
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

/** The pattern for all of its matches. */
const everywhere = (pattern: RegExp) => new RegExp(pattern.source, `${pattern.flags}g`)

/**
 * Words with "free" or a discount that are no offer: things the product is free of, terms of a sale, sayings, and things
 * that somebody is only looking for.
 */
const notOffered: readonly RegExp[] = [
  /(?<![\p{L}\p{N}])\p{L}{2,30}[-‐‑–]free(?![\p{L}\p{N}])/giu,
  everywhere(
    words(
      '(?:ads?|interest|sugar|gluten|dairy|lactose|nut|fat|stress|hassle|worry|guilt|pain|hands|risk|toll|tax|duty|fee|debt|rent|cost of living|drug|smoke|alcohol|cruelty|plastic|lag|bug|error|spam|distraction|commission|clutter) free|free (?:parking|returns?|exchanges?|refunds?|cancell?ations?|of (?!charge|cost)|from|time|up|will|speech|yourself|as|fall|spirit(?:ed)?|fire|range|agents?|kicks?|throws?|style|form|hand|your (?:mind|self|time)|(?:plan|tier|version) (?:or|vs|versus))|(?:feel|set|sets|setting|break|breaks|broke|be|been|being|become|run|roam|live|get|stay) (?:(?!(?:your|an?|the|my|our|one|for|it|this)(?!\\p{L}))\\p{L}+ )?free(?! (?:access|trial|coins|gems|delivery|shipping|stuff))|(?:people|everyone|everybody|you|we|they|i|he|she|land|born|finally) (?:(?:are|is|am) )?free(?! (?:access|trial))|(?:look(?:ing)?|search(?:ing)?|ask(?:ing)?) for (?:an? |the |any |some )?(?:\\p{L}+ )?free|(?:are|is) there (?:any|an?) (?:\\p{L}+[- ])?(?:\\p{L}+ )?free|best free \\p{L}+(?= (?:to|for)[^?!.]{0,60}\\?)',
    ),
  ),
  everywhere(
    words(
      '(?:kostenlose[rsnm]?|kostenfreie[rsnm]?|gratis[- ]?) ?(?:rücksendung(?:en)?|retouren?|rückversand|rückgaben?|stornierung(?:en)?|umtausch|kündigung)|(?:kostenlos|kostenfrei|gratis) (?:stornier\\p{L}+|zurück\\p{L}+|umtausch\\p{L}+|kündbar|kündigen|retournieren)|(?:rücksendung(?:en)?|retouren?|rückversand|rückgabe|umtausch|stornierung) (?:ist |sind )?(?:kostenlos|kostenfrei|gratis)',
    ),
  ),
  everywhere(
    words(
      '(?:retours?|échanges?|annulations?|résiliation) (?:est |sont )?gratuit(?:e|s|es|ement)?|(?:retournez|retourner|annulez|annuler|échangez|résiliez)[^.!?]{0,20} gratuitement',
    ),
  ),
  everywhere(
    words(
      '(?:devoluci(?:ón|ones)|cambios?|cancelaci(?:ón|ones)|devolução|devoluções|trocas?|cancelamentos?|res[io]|cambi|cancellazion[ei]|restituzion[ei]) (?:es |son |são |é |è |sono )?(?:gratis|grátis|gratuit[oaie]s?)|(?:devuelve|devolver|cancela|cancelar|devolva|cancele|restituisci|cancella|annulla)[^.!?]{0,20} (?:gratis|grátis|gratuitamente)',
    ),
  ),
  everywhere(words('gratis (?:retour\\p{L}*|ruilen|omruilen|annuler\\p{L}+)|retour(?:neren)? is gratis')),
  everywhere(
    words(
      'бесплатн\\p{L}+ (?:возврат|обмен|отмен)\\p{L}*|(?:возврат|обмен|отмена)(?: товара)? бесплатн\\p{L}+',
    ),
  ),
  everywhere(
    unspaced(
      '返品(?:・交換|交換)?(?:送料)?(?:も|は)?(?:無料|0円)|無料(?:返品|交換|キャンセル)|(?:キャンセル|解約|交換|手数料|解約金|年会費|利息|金利)(?:料)?(?:も|は|が)?(?:無料|0円)|免[费費](?:退[货貨换換]|退款|取消|换货|換貨)|退[换換]?[货貨]免[费費]|무료\\s*(?:반품|교환|취소|환불)|(?:반품|교환|취소|수수료)\\s*(?:도\\s*)?무료|무료\\s*주차|연회비\\s*(?:도\\s*)?무료|쿠폰\\s*(?:적용\\s*)?(?:불가|제외)',
    ),
  ),
]

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
