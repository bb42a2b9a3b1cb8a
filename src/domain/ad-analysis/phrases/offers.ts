import { unspaced, words } from '../../../text/phrase.ts'

const number = String.raw`\d{1,6}(?:[.,]\d{1,3}){0,2}`
const currency = String.raw`(?:[$€£¥￥₩₹]|US\$|R\$|CA\$|A\$|CHF|EUR|USD|GBP|PLN|SEK|zł|kr)`
const price = String.raw`(?:${currency}\s?${number}|${number}\s?(?:${currency}|euros?|dollars?|dólares|reais|円|원))`
const free =
  'free|kostenlos(?:e[nrsm]?)?|kostenfrei(?:e[nrsm]?)?|gratis|grátis|gratuite?s?|gratuitement|gratuit[oa]s?|gratuitamente|gratuita|gratuiti|de graça|ücretsiz|бесплатно'
const span =
  'days?|nights?|weeks?|months?|years?|tage?n?|wochen?|monate?n?|jours?|semaines?|mois|días?|semanas?|mes(?:es)?|dias?|mês|giorni|giorno|settimane?|mesi|mese|dagen|dag|maanden|maand|weken'
const spanName: readonly (readonly [RegExp, string])[] = [
  [/^(?:nights?)$/i, 'night'],
  [/^(?:days?|tage?n?|jours?|días?|dias?|giorn[io]|dag|dagen|日間?|일|天)$/i, 'day'],
  [/^(?:weeks?|wochen?|semaines?|semanas?|settiman[ae]|weken|週間?|주|周|週)$/i, 'week'],
  [/^(?:months?|monate?n?|mois|mes|meses|mês|mes[ie]|maand|maanden|[かヶケカ]月間?|개월|个月|個月)$/i, 'month'],
  [/^(?:years?|年間?)$/i, 'year'],
]

/** What a span of time is called in English. */
export const spanInEnglish = (word: string): string | undefined =>
  spanName.find(([pattern]) => pattern.test(word))?.[1]

/** A number of days, weeks or months for nothing; groups `count` and `span`. */
export const trials: readonly RegExp[] = [
  words(`(?<count>\\d{1,3})[- ](?:free )?(?<span>${span})[^.!?\\d]{0,20}(?:${free})`),
  words(`(?:${free})[^.!?\\d]{0,25}(?<count>\\d{1,3})[- ](?<span>${span})`),
  words(`first (?<count>\\d{1,3})?\\s?(?<span>${span}) (?:is |are |for )?free`),
  words('no fees for the first (?<count>\\d{1,3}) (?<span>days?|weeks?|months?|years?)'),
  unspaced(
    '(?<count>[0-9０-９]{1,3})\\s*(?<span>日間?|週間?|[かヶケカ]月間?|일|주|개월|天|周|个月|個月)[^。！!\\d]{0,6}(?:無料|무료|免费|免費)',
  ),
  unspaced(
    '(?:無料|무료|免费|免費)[^。！!\\d]{0,8}(?<count>[0-9０-９]{1,3})\\s*(?<span>日間?|週間?|[かヶケカ]月間?|일|주|개월|天|周|个月|個月)',
  ),
]

/** A trial whose length is not a number. */
export const unnumberedTrials: readonly RegExp[] = [
  words(
    'free (?:trial|week|month|day)|(?:kostenlose[rsn]?|gratis) (?:probe\\p{L}*|test\\p{L}*|woche|monat)|essai gratuit|(?:prueba|semana|mes) grat(?:is|uit[oa])|teste grátis|prova gratuita|gratis proefperiode|gratis proberen',
  ),
  unspaced('無料(?:体験|トライアル|お試し)|무료\\s*체험|免费试用|免費試用'),
]

/** A part taken off the price; group `count`. */
export const percentsOff: readonly RegExp[] = [
  words(
    '(?<count>\\d{1,2}(?:[.,]\\d)?)\\s?(?:%|per ?cent|percent|prozent)\\s?(?:off|discount|rabatt|reduziert|günstiger|de (?:réduction|remise|rabais|descuento|desconto|sconto)|di sconto|korting|menos|sale|off\\p{L}*)',
  ),
  words(
    "(?:save|get|enjoy|spare|sparen sie|bis zu|ahorra|economize|risparmia|économisez|up to|hasta(?: un)?|até|fino al|jusqu[’']à|sconto del|rabatt von|discount of) (?:up to )?-?(?<count>\\d{1,2})\\s?%(?! of\\b)",
  ),
  /(?:^|\s)[-–−](?<count>\d{1,2})\s?%/u,
  unspaced(
    '(?<count>[0-9０-９]{1,2})\\s*[%％]\\s*(?:OFF|オフ|off|割引|引き|할인|折扣)|할인\\s*(?<other>[0-9]{1,2})%',
  ),
]

/** Ten per cents taken off, as Japanese counts them; group `count`. */
export const tenthsOff = unspaced('(?<count>[1-9１-９])割(?:引|引き|オフ)')

/** A price that is asked; group `price`. What one could save or earn is not a price. */
export const prices: readonly RegExp[] = [
  words(
    `(?:for|only|just|from|at|now|starting at|ab|nur|für|pour|seulement|dès|à partir de|desde|sólo|solo|por|apenas|só|da|a soli|vanaf|slechts)\\s(?:only |just |nur |solo )?(?<price>${price})`,
  ),
  new RegExp(
    `(?<price>${price})\\s?(?:/|per |a |pro |par |al |por |im )\\s?(?:month|week|year|day|mo|wk|yr|monat|woche|jahr|mois|an|semaine|mes|año|mês|ano|mese|anno|settimana)(?![\\p{L}])`,
    'iu',
  ),
  unspaced('(?:月額|年額|月々|たった|わずか)\\s*(?<price>[0-9０-９,，]{1,9}円)'),
]

/** What makes money of a price that nobody is asked to pay. */
export const notAPrice = words(
  'save|saves|saved|saving|savings|earn|earned|earning|win|won|make|made|worth|spare|sparen|gespart|gewinne|verdiene|économise[zr]?|gagne[zr]?|ahorra\\p{L}*|gana|economize|ganhe|risparmia|vinci|guadagna',
)

/** Money taken off; group `price`. */
export const moneyOff: readonly RegExp[] = [
  words(`(?<price>${price}) (?:off|rabatt|discount|de réduction|de descuento|de desconto|di sconto|korting)`),
  unspaced('(?<price>[0-9０-９,，]{1,9}円)(?:OFF|オフ|引き|割引)'),
]

/** Something for nothing. Words that only look like it are left out. */
export const gratis: readonly RegExp[] = [
  words(
    `(?<!(?:feel|set|break|broke|be|been|run|roam|is|are|hands|get|guilt|cost of|not|no longer|isn['’]t|nicht|pas|non|não)\\s)(?<!-)free(?!-)(?!\\s(?:of|from|time|up|will|speech|yourself|as|fall|spirit|your (?:mind|self|time)|kick))`,
  ),
  words(`(?<!(?:nicht|pas|no|non|não|niet|не)\\s)(?:${free.replace(/^free\|/, '')})`),
  unspaced('無料|0円|무료|免费|免費'),
]
