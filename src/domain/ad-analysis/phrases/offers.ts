import { unspaced, words } from '../../../text/phrase.ts'

const number = String.raw`\d{1,6}(?:[.,]\d{1,3}){0,2}`
const currency = String.raw`(?:[$€£¥￥₩₹₽₺]|US\$|R\$|CA\$|A\$|CHF|EUR|USD|GBP|PLN|SEK|zł|kr|руб(?:\.|лей)?|р\.)`
const price = String.raw`(?:${currency}\s?${number}|${number}\s?(?:${currency}|euros?|dollars?|dólares|reais|円|元|원))`
const free =
  'free|kostenlos(?:e[nrsm]?)?|kostenfrei(?:e[nrsm]?)?|gratis|grátis|gratuite?s?|gratuitement|gratuit[oa]s?|gratuitamente|gratuita|gratuiti|de graça|ücretsiz|бесплатн(?:о|ый|ая|ое|ые|ого|ую)'
const span =
  'days?|nights?|weeks?|months?|years?|tage?n?|wochen?|monate?n?|jours?|semaines?|mois|días?|semanas?|mes(?:es)?|dias?|mês|giorni|giorno|settimane?|mesi|mese|dagen|dag|maanden|maand|weken|дн(?:ей|я)|день|недел[ьяию]|месяц(?:а|ев)?'
const spanName: readonly (readonly [RegExp, string])[] = [
  [/^(?:nights?)$/i, 'night'],
  [/^(?:days?|tage?n?|jours?|días?|dias?|giorn[io]|dag|dagen|дн(?:ей|я)|день|日間?|일|天)$/i, 'day'],
  [/^(?:weeks?|wochen?|semaines?|semanas?|settiman[ae]|weken|недел[ьяию]|週間?|주|周|週)$/i, 'week'],
  [
    /^(?:months?|monate?n?|mois|mes|meses|mês|mes[ie]|maand|maanden|месяц(?:а|ев)?|[かヶケカ]月間?|개월|个月|個月)$/i,
    'month',
  ],
  [/^(?:years?|年間?)$/i, 'year'],
]

/** What a span of time is called in English. */
export const spanInEnglish = (word: string): string | undefined =>
  spanName.find(([pattern]) => pattern.test(word))?.[1]

/** Words that may stand between a span of time and "free", in either order; anything else parts two statements. */
const between =
  "of|for|the|your|a|first|completely|totally|absolutely|100%|premium|pro|plus|access|trial|period|version|membership|subscription|up to|on us|lang|zum|über|für|die|den|ersten?|deine[nr]?|testen|ausprobieren|nutzen|probe\\p{L}*|premium-zugang|d['’]essai|essai|d['’]accès|pendant|les|premiers?|durante|los|primeros?|de|prueba|acceso|por|os|primeiros?|teste|acesso|durante|nos|di|prova|accesso|per|i|primi|voor|eerste|proberen|proef\\p{L}*|на|первые|в течение|пробн\\p{L}+|период\\p{L}*|доступ\\p{L}*|совершенно|абсолютно"
const link = `(?:[\\s,:–-]{1,3}(?:${between})){0,4}[\\s,:–-]{1,3}`
const unspacedLink =
  '(?:で|の|は|が|から|体験|トライアル|お試し|期間|最大|【|（|「|：|:|\\s|试用|試用|体验|體驗|使用|会员|會員|최대|체험|이용|기간|동안|간|을){0,5}'

/** A number of days, weeks or months for nothing; groups `count` and `span`. */
export const trials: readonly RegExp[] = [
  words(`(?<count>\\d{1,3})[- ](?:free )?(?<span>${span})${link}(?:${free})(?! (?:of|from))`),
  words(`(?<count>\\d{1,3})[- ](?:free|gratis|grátis) (?<span>${span})`),
  words(`(?<count>\\d{1,3})[- ](?<span>${span}) (?:free )?trial`),
  words(`(?:${free})${link}(?<count>\\d{1,3})[- ](?<span>${span})`),
  words(`first (?<count>\\d{1,3})?\\s?(?<span>${span}) (?:is |are |for )?free`),
  words('no fees for the first (?<count>\\d{1,3}) (?<span>days?|weeks?|months?|years?)'),
  unspaced(
    `(?<count>[0-9０-９]{1,3})\\s*(?<span>日間?|週間?|[かヶケカ]月間?|일|주|개월|天|周|个月|個月)${unspacedLink}(?:無料|무료|免费|免費)`,
  ),
  unspaced(
    `(?:無料|무료|免费|免費)${unspacedLink}(?<count>[0-9０-９]{1,3})\\s*(?<span>日間?|週間?|[かヶケカ]月間?|일|주|개월|天|周|个月|個月)`,
  ),
]

/** A trial whose length is not a number. */
export const unnumberedTrials: readonly RegExp[] = [
  words(
    'free (?:trial|week|month|day)|(?:kostenlose[rsnm]?|gratis)[- ]?(?:probe\\p{L}*|test\\p{L}*|woche|monat)|essai gratuit|(?:prueba|semana|mes) grat(?:is|uit[oa])|(?:teste|período|mês|semana) (?:de teste )?(?:grátis|gratuit[oa])|(?:prova|mese|settimana) gratuit[oa]|gratis (?:proef\\p{L}*|proberen|maand|week)|бесплатн\\p{L}+ (?:пробн\\p{L}+ )?(?:период|версия|недел|месяц)\\p{L}*|пробн\\p{L}+ период',
  ),
  unspaced('無料(?:体験|トライアル|お試し|期間)|무료\\s*(?:체험|이용권)|免费试用|免費試用|免费体验'),
]

const discount =
  'off|discount|rabatt|nachlass|reduziert|günstiger|sparen|de (?:réduction|remise|rabais|descuento|desconto|sconto|rebaja|moins)|di sconto|korting|menos|sale|off\\p{L}*'

/** A part taken off the price; group `count`. */
export const percentsOff: readonly RegExp[] = [
  words(`(?<count>\\d{1,2}(?:[.,]\\d)?)\\s?(?:%|per ?cent|percent|prozent)\\s?(?:${discount})`),
  words(
    "(?<!(?:could|can|might|may|to|would|will|helps?|kannst|könntest|podrías|puedes|pode|puoi|peux|pouvez)(?: you)? )(?:save|spare|sparen sie|ahorra|economize|risparmia|économisez)(?: bis zu| up to| hasta(?: un)?| até| fino al| jusqu[’']à)? (?<count>\\d{1,2})\\s?%(?! (?:of|more|time|battery|energy|space|storage|on your (?:\\p{L}+ )?bills?|der|deiner|ihrer|de (?:tu|ton|votre|seu) )\\b)",
  ),
  words(
    "(?:sconto(?: del)?|scontati? del|rabatt von|discount of|descuento del?|rebajas? del?|desconto de|remise de|réduction de|rabais de|korting van|скидк[аиу](?: до)?)(?: bis zu| up to| hasta(?: el)?| até| fino al| jusqu[’']à)? (?<count>\\d{1,2})\\s?%",
  ),
  words(
    "(?:bis zu|up to|hasta(?: el| un)?|até|fino al|jusqu[’']à|tot) -(?<count>\\d{1,2})\\s?%|(?<other>\\d{1,2})\\s?% скидк\\p{L}+",
  ),
  /(?:^|[\s(:!])[-–−](?<count>\d{1,2})\s?%(?! (?:fat|body|weight|calories|stress|de graisse|fett|gras))/u,
  unspaced(
    '(?<count>[0-9０-９]{1,2})\\s*[%％]\\s*(?:OFF|オフ|off|割引|引き|할인|折扣)|할인\\s*(?<other>[0-9]{1,2})%',
  ),
]

/** Half the price, in as many words. */
export const halfOff: readonly RegExp[] = [
  words(
    'half (?:price|off)|zum halben preis|halber preis|(?:à )?moitié prix|(?:a )?mitad de precio|metade do preço|(?:a )?metà prezzo|halve prijs|за полцены',
  ),
  unspaced('半額|반값|半价|半價'),
]

/** Ten per cents taken off, as Japanese counts them; group `count`. */
export const tenthsOff = unspaced('(?<count>[1-9１-９])割(?:引|引き|オフ)')

/** What is left of the price in tenths and hundredths, as Chinese counts it; groups `tenths` and `hundredths`. */
export const tenthsLeft = unspaced(
  '(?<tenths>[1-9一二三四五六七八九])(?:\\.)?(?<hundredths>[1-9一二三四五六七八九])?折(?![叠疊扣腾騰磨断斷])',
)

/** A price that is asked; group `price`. What one could save or earn is not a price. */
export const prices: readonly RegExp[] = [
  words(
    `(?:for|only|just|from|at|now|starting at|ab|nur|für|pour|seulement|dès|à partir de|desde|sólo|solo|por|apenas|só|da|a soli|vanaf|slechts|всего(?: за)?|только|за|от)\\s(?:only |just |nur |solo |apenas |sólo )?(?<price>${price})`,
  ),
  new RegExp(
    `(?<price>${price})\\s?(?:/|per |a |pro |par |al |por |im |всего |в )\\s?(?:month|week|year|day|mo|wk|yr|monat|woche|jahr|mois|an|semaine|mes|año|mês|ano|mese|anno|settimana|maand|jaar|месяц|год|неделю|день)(?![\\p{L}])`,
    'iu',
  ),
  unspaced(
    '(?:月額|年額|月々|たった|わずか)\\s*(?<price>[0-9０-９,，]{1,9}円)|월\\s*(?<won>[0-9,]{1,9}원)|(?:每月|每年|仅需|僅需|只要|只需)\\s*(?<yuan>[¥￥]?[0-9.,]{1,9}元?)',
  ),
]

/** What makes money of a price that nobody is asked to pay. */
export const notAPrice = words(
  'save|saves|saved|saving|savings|earn|earned|earning|win|won|make|made|worth|spare|sparen|gespart|gewinne|verdiene|économise[zr]?|gagne[zr]?|ahorra\\p{L}*|gana|economize|ganhe|risparmia|vinci|guadagna|заработ\\p{L}+|выигра\\p{L}+|эконом\\p{L}+',
)

/** Money taken off; group `price`. */
export const moneyOff: readonly RegExp[] = [
  words(
    `(?<price>${price}) (?:off|rabatt|discount|nachlass|de réduction|de remise|de descuento|de desconto|di sconto|korting)`,
  ),
  unspaced('(?<price>[0-9０-９,，]{1,9}円)(?:OFF|オフ|引き|割引)'),
]

/** Money given back to those who are not content; groups `count` and `span` where it names how long. */
export const moneyBack: readonly RegExp[] = [
  words(
    `(?:(?<count>\\d{1,3})[- ](?<span>${span})[- ](?:\\p{L}+[- ])?)?(?:money[- ]back(?: guarantee)?|geld[- ]zurück(?:[- ]?garantie)?|geld[- ]terug(?:[- ]?garantie)?)`,
  ),
  words(
    'full refund|get (?:all )?your money back|satisfait(?:e|s|es|\\(e\\))? ou remboursée?s?|garantie de remboursement|remboursement garanti|(?:te|le|les) devolvemos (?:el|tu|su) dinero|garantía de (?:devolución|reembolso)|reembolso garantizado|devolución (?:del|de tu) dinero|garantia de (?:reembolso|devolução)|reembolso garantido|dinheiro de volta|devolvemos (?:o )?seu dinheiro|soddisfatti o rimborsati|garanzia di rimborso|rimborso garantito|верн[её]м (?:вам )?деньги|гаранти\\p{L}+ возврата|возврат денег',
  ),
  unspaced(
    '返金保証|全額返金|全额退款|全額退款|退款保[证證]|不[满滿]意[^。！]{0,4}退款|환불\\s*보장|전액\\s*환불',
  ),
]

/** Something to be tried at no risk; groups `count` and `span` where it names how long. */
export const noRisk: readonly RegExp[] = [
  words(`risk[- ]free for (?:the first )?(?<count>\\d{1,3}) (?<span>${span})`),
  words(`(?<count>\\d{1,3})[- ](?<span>${span})[- ]risk[- ]free`),
  words(
    'risk[- ]free trial|(?:try|test|order|buy|start)(?: (?:it|us|them|this|now|today|yours))? risk[- ]free',
  ),
  words(`(?:risikofrei|ohne risiko) (?<count>\\d{1,3}) (?<span>${span})|(?:risikofrei|ohne risiko) testen`),
]

/** What is brought to the buyer at no charge. */
export const freeDelivery: readonly RegExp[] = [
  words(
    'free (?:\\p{L}+ )?(?:shipping|delivery|postage)|(?:shipping|delivery) (?:is )?free|ships? (?:for )?free|(?:kostenlose[rnm]?|kostenfreie[rnm]?|gratis)[- ]?(?:versand|lieferung)|versandkostenfrei\\p{L}*|versand (?:ist )?(?:gratis|kostenlos)|livraison (?:est )?(?:gratuite|offerte)|frais de port (?:offerts|gratuits)|envíos? (?:gratis|gratuitos?)|(?:frete|entrega|envio) (?:grátis|gratuit[oa])|(?:spedizione|consegna) (?:gratis|gratuita)|gratis (?:verzending|bezorg\\p{L}+|levering|verzonden)|бесплатн\\p{L}+ доставк\\p{L}+|доставка бесплатн\\p{L}+|free ?ship',
  ),
  unspaced(
    '送料(?:は)?(?:無料|0円)|包[邮郵]|免[运運][费費]?|免[费費](?:送[货貨]|配送|快递)|무료\\s*배송|배송비\\s*(?:는\\s*)?무료',
  ),
]

/** Something for nothing. */
export const gratis: readonly RegExp[] = [
  words(
    '(?<!(?:feel|set|break|broke|be|been|run|roam|is|are|hands|get|guilt|cost of)\\s)(?<!-)free(?!-)(?!\\s(?:of|from|time|up|will|speech|yourself|as|fall|spirit|your (?:mind|self|time)|kick))|(?:app|game|download|it|everything|plan|version) is (?:now |completely |totally |always |absolutely |100% )?free|free of (?:charge|cost)|free[- ]to[- ](?:play|use|download|try|join)|get(?: \\p{L}+){1,3} free',
  ),
  words(free.replace(/^free\|/, '')),
  unspaced('無料|0円|무료|免费|免費'),
]
