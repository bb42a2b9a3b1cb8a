import { unspaced, words } from '../../../text/phrase.ts'

const number = String.raw`\d{1,6}(?:[.,]\d{1,3}){0,3}`
const currency = String.raw`(?:[$€£¥￥₩₹₽₺₡₫₴]|[A-Z]{1,2}\$|S\/|CHF|EUR|USD|GBP|PLN|SEK|NOK|DKK|PHP|INR|CAD|AUD|SGD|HKD|zł|kr|руб(?:\.|лей)?|р\.)`
const price = String.raw`(?:${currency}\s?${number}|${number}\s?(?:${currency}|euros?|dollars?|dólares|reais|¢|円|元|원|pesos|soles|(?:MXN|COP|CLP|ARS|PEN)))`
const free =
  'free|kostenlos(?:e[nrsm]?)?|kostenfrei(?:e[nrsm]?)?|gratis|grátis|gratuite?s?|gratuitement|gratuit[oa]s?|gratuitamente|gratuita|gratuiti|offert(?:e|s|es)?(?! par)|de graça|ücretsiz|бесплатн(?:о|ый|ая|ое|ые|ого|ую)'
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

/** The English name of a span of time. */
export const spanInEnglish = (word: string): string | undefined =>
  spanName.find(([pattern]) => pattern.test(word))?.[1]

/** Words that may separate a span of time and "free", in either order; anything else separates two statements. */
const between =
  "of|for|the|your|a|first|completely|totally|absolutely|100%|premium|pro|plus|access|trial|period|version|membership|subscription|up to|on us|lang|zum|über|für|die|den|ersten?|deine[nr]?|testen|ausprobieren|nutzen|probe\\p{L}*|premium-zugang|d['’]essai|essai|d['’]accès|pendant|les|premiers?|durante|los|primeros?|de|prueba|acceso|por|os|primeiros?|teste|acesso|durante|nos|di|prova|accesso|per|i|primi|voor|eerste|proberen|proef\\p{L}*|на|первые|в течение|пробн\\p{L}+|период\\p{L}*|доступ\\p{L}*|совершенно|абсолютно"
const link = `(?:[\\s,:–-]{1,3}(?:${between})){0,4}[\\s,:–-]{1,3}`
const unspacedLink =
  '(?:で|の|は|が|から|体験|トライアル|お試し|期間|最大|【|（|「|：|:|\\s|试用|試用|体验|體驗|使用|会员|會員|최대|체험|이용|기간|동안|간|을){0,5}'

/** A number of free days, weeks or months; groups `count` and `span`. */
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
    'free (?:trial|week|month|day)|période d.essai|(?:kostenlose[rsnm]?|gratis)[- ]?(?:probe\\p{L}*|test\\p{L}*|woche|monat)|essai gratuit|(?:prueba|semana|mes) grat(?:is|uit[oa])|(?:teste|período|mês|semana) (?:de teste )?(?:grátis|gratuit[oa])|(?:prova|mese|settimana) gratuit[oa]|gratis (?:proef\\p{L}*|proberen|maand|week)|бесплатн\\p{L}+ (?:пробн\\p{L}+ )?(?:период|версия|недел|месяц)\\p{L}*|пробн\\p{L}+ период',
  ),
  unspaced('無料(?:体験|トライアル|お試し|期間)|무료\\s*(?:체험|이용권)|免费试用|免費試用|免费体验'),
]

const discount =
  "off|discount|rabatt|nachlass|reduziert|günstiger|sparen|d[’']économies?|de (?:réductions?|remises?|rabais|descuento|desconto|sconto|rebaja|moins|dto)|dto|di sconto|korting|menos|sale|off\\p{L}*"

/** A percentage off the price; group `count`, `other` or `most`. */
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
    '(?<count>[0-9０-９]{1,2})\\s*[%％]\\s*(?:OFF|オフ|off|割引|引き|[^.!?\\n%]{0,8}(?:할인|인하|세일|쿠폰|특가|저렴)|DC|折扣)|최대\\s*(?<most>[0-9]{1,2})\\s*[%％](?!\\s*(?:개선|감소|증가|함유|효과|향상|흡수|차단|충전|[이정]))|(?:할인\\s*|[~～]\\s?|\\[)(?<other>[0-9]{1,2})[%％](?!\\s*[가-힣])',
  ),
]

/** Half price, in words. */
export const halfOff: readonly RegExp[] = [
  words(
    'half (?:price|off)|zum halben preis|halber preis|(?:à )?moitié prix|(?:a )?mitad de precio|metade do preço|(?:a )?metà prezzo|halve prijs|за полцены',
  ),
  unspaced('半額|반값(?!\\s*택배)|半价|半價'),
]

/** Tenths off the price, as counted in Japanese; group `count`. */
export const tenthsOff = unspaced('(?<count>[1-9１-９])割(?:引|引き|オフ)')

/** The remaining price in tenths and hundredths, as counted in Chinese; groups `tenths` and `hundredths`. */
export const tenthsLeft = unspaced(
  '(?<tenths>[1-9一二三四五六七八九])(?:\\.)?(?<hundredths>[1-9一二三四五六七八九])?折(?![叠疊扣腾騰磨断斷])',
)

/** Amounts in Korean won, also in thousands and tens of thousands. */
const won = '[0-9][0-9,.]{0,8}\\s*[만천]?\\s*원'

/** A price to pay; groups `price`, `won` and `yuan`. Possible savings or earnings are not a price. */
export const prices: readonly RegExp[] = [
  words(
    `(?:for|only|just|from|at|now|starting at|as low as|price:?|preis:?|prix:?|precio:?|preço:?|prezzo:?|ab|nur|für|pour|seulement|dès|à partir de|desde(?: los?)?|sólo|solo|por|apenas|só|da|a soli|vanaf|slechts|всего(?: за)?|только|за|от)\\s(?:only |just |nur |solo |apenas |sólo )?(?<price>${price})(?! (?:offert|de (?:réduction|remise|descuento|desconto)|d[’']achat|off|rabatt|minimum|(?:sur|on|en) (?:vos|votre|tes|ta|ton|your|tu)))`,
  ),
  new RegExp(
    `(?<price>${price})\\s?(?:/|per |a |pro |par |al |por |im |всего |в )\\s?(?:month|week|year|day|mo|wk|yr|monat|woche|jahr|mois|an|semaine|mes|año|mês|ano|mese|anno|settimana|maand|jaar|месяц|год|неделю|день)(?![\\p{L}])`,
    'iu',
  ),
  new RegExp(
    `(?:^[^\\p{L}\\p{N}]*|\\s[-–—]\\s|[:|])\\s*(?<price>${price})(?![\\p{L}\\p{N}])(?:\\s?(?:USD|EUR|MXN|COP|CLP))?[\\s!.*)]{0,9}$`,
    'iu',
  ),
  unspaced(
    `(?:→|➡|=>|단돈?|오직|무려|특가|가격\\s*[은:：-]?|개에)\\s*(?<won>${won})(?!\\]?\\s*(?:추가|즉시)?\\s*(?:쿠폰|할인|적립|상당|이상|이하|지원|절약))`,
  ),
  unspaced('(?:가격|판매가|PRICE)\\s*[:：-]?\\s*(?<won>[0-9]{1,3}(?:,[0-9]{3})+)'),
  unspaced(`(?<won>${won})\\s*(?:대|부터|[~～]|에(?!서)|으로|!)`),
  new RegExp(`^[^\\p{L}\\p{N}]*(?<won>${won})[^\\p{L}\\p{N}]*$`, 'u'),
  unspaced(
    '(?:月額|年額|月々|たった|わずか)\\s*(?<price>[0-9０-９,，]{1,9}円)|월\\s*(?<won>[0-9,]{1,9}원)|(?:每月|每年|仅需|僅需|只要|只需)\\s*(?<yuan>[¥￥]?[0-9.,]{1,9}元?)',
  ),
]

/** Words by which an amount of money is not a price to pay. */
export const notAPrice = words(
  'save|saves|saved|saving|savings|earn|earned|earning|win|won|make|made|worth|spare|sparen|gespart|gewinne|verdiene|économise[zr]?|gagne[zr]?|ahorra\\p{L}*|gana|economize|ganhe|risparmia|vinci|guadagna|заработ\\p{L}+|выигра\\p{L}+|эконом\\p{L}+',
)

/** Money taken off; group `price`. */
export const moneyOff: readonly RegExp[] = [
  words(
    `(?<price>${price}) (?:sur (?:vos|votre|tes|ta|ton)|on your (?:first|next)|en tu (?:primer|próxim)\\p{L}*|off|rabatt|discount|nachlass|de réduction|de remise|d[’']économies?|de descuento|de desconto|di sconto|korting)`,
  ),
  unspaced('(?<price>[0-9０-９,，]{1,9}円)(?:OFF|オフ|引き|割引)'),
  unspaced(`(?<price>${won})\\]?\\s*(?:추가|즉시)?\\s*(?:할인|쿠폰|적립|DC|OFF)`),
]

/** A lower price without a number. */
export const sales: readonly RegExp[] = [
  words(
    '(?<!#)(?:(?<=^\\P{L}*)save (?:(?:now|big|more|today) )?on(?! (?:time|energy|your))|(?<=^\\P{L}*)save (?:up to )?[$€£]\\d+|up to \\d{1,2} ?%(?=\\s*$)|(?:summer|winter|spring|fall|holiday|black friday|cyber monday|clearance|flash|annual|season|final|big|mega|sitewide) sale|sale (?:ends?|now on|up to)|on sale|(?:special|introductory|limited[- ]time|exclusive) (?:offers?|price|pricing|deals?|discounts?)|discounts?|promo(?:tion)?s? codes?|coupons?|(?:great|best|hot|amazing|big) deals|reduced prices?|buy (?:one|1|two|2),? get (?:one|1|two|2)(?! (?:free|gratis)))',
  ),
  words(
    "(?<!#)(?:promos?|promotions|en promotion|remises?(?! (?:en|des|à|du))|réductions?(?! (?:de la|de l[’']|de (?:vos|votre|ton)|des|du|d[’']))|soldes?|rabais|(?:offres?|prix) (?:exceptionnel(?:le)?s?|spécia(?:le|les|ux|l)|exclusi(?:ve|f)s?|promotionnel(?:le)?s?|de (?:lancement|bienvenue)|black friday)|bons? plans?|prix (?:réduits?|cassés?|doux)|ventes? privées?|déstockage)",
  ),
  words(
    '(?<!#)(?:rabatt\\p{L}*|schnäppchen|sonderangebot\\p{L}*|aktionspreis\\p{L}*|gutschein\\p{L}*|sparpreis\\p{L}*|korting\\p{L}*|aanbieding(?:en)?|uitverkoop|скидк\\p{L}+|распродаж\\p{L}+|промокод\\p{L}*)',
  ),
  words(
    '(?<!#)(?:(?:ofertas?|promo(?:ci(?:ón|ones)|ç(?:ão|ões))?)(?! (?:laboral|de (?:trabajo|empleo|trabalho|emprego)|educativa|académica))|descuentos?|descontos?|rebajas?|cup(?:ón|ones|om|ons)|liquidaci(?:ón|ones)|liquidação|precios? especial(?:es)?|in offerta|offert[ae] (?:speciale|limitata|lancio)|sconti|saldi|promozion[ei])',
  ),
  unspaced(
    '(?<!FOR )(?<![A-Za-z])SALE(?![A-Za-z])|할인|특가|세일(?![즈러])|쿠폰|최저가|핫딜|캐시백|페이백|セール(?!ス)|割引|クーポン|特価|値下げ|キャッシュバック|优惠|優惠|特价|特價|促销|促銷',
  ),
]

/** A money-back guarantee; groups `count` and `span` where its duration is stated. */
export const moneyBack: readonly RegExp[] = [
  words(
    `(?:(?<count>\\d{1,3})[- ](?<span>${span})[- ](?:\\p{L}+[- ])?)?(?:money[- ]back(?: guarantee)?|geld[- ]zurück(?:[- ]?garantie)?|geld[- ]terug(?:[- ]?garantie)?)`,
  ),
  words(
    'full refund|get (?:all )?your money back|(?:[€$£]|\\d) remboursée?s?|pari (?:perdant |est )*remboursé|satisfait(?:e|s|es|\\(e\\))? ou remboursée?s?|garantie de remboursement|remboursement garanti|(?:te|le|les) devolvemos (?:el|tu|su) dinero|garantía de (?:devolución|reembolso)|reembolso garantizado|devolución (?:del|de tu) dinero|garantia de (?:reembolso|devolução)|reembolso garantido|dinheiro de volta|devolvemos (?:o )?seu dinheiro|soddisfatti o rimborsati|garanzia di rimborso|rimborso garantito|верн[её]м (?:вам )?деньги|гаранти\\p{L}+ возврата|возврат денег',
  ),
  unspaced(
    '100\\s?%\\s?환불|返金保証|全額返金|全额退款|全額退款|退款保[证證]|不[满滿]意[^。！]{0,4}退款|환불\\s*보장|전액\\s*환불',
  ),
]

/** A risk-free trial; groups `count` and `span` where its duration is stated. */
export const noRisk: readonly RegExp[] = [
  words(`risk[- ]free for (?:the first )?(?<count>\\d{1,3}) (?<span>${span})`),
  words(`(?<count>\\d{1,3})[- ](?<span>${span})[- ]risk[- ]free`),
  words(
    'risk[- ]free trial|(?:try|test|order|buy|start)(?: (?:it|us|them|this|now|today|yours))? risk[- ]free',
  ),
  words(`(?:risikofrei|ohne risiko) (?<count>\\d{1,3}) (?<span>${span})|(?:risikofrei|ohne risiko) testen`),
]

/** Free delivery. */
export const freeDelivery: readonly RegExp[] = [
  words(
    'free (?:\\p{L}+ )?(?:shipping|delivery|postage)|(?:shipping|delivery) (?:is )?free|ships? (?:for )?free|(?:kostenlose[rnm]?|kostenfreie[rnm]?|gratis)[- ]?(?:versand|lieferung)|versandkostenfrei\\p{L}*|versand (?:ist )?(?:gratis|kostenlos)|livraison (?:est )?(?:gratuite|offerte)|frais de port (?:offerts|gratuits)|envíos? (?:gratis|gratuitos?)|(?:frete|entrega|envio) (?:grátis|gratuit[oa])|(?:spedizione|consegna) (?:gratis|gratuita)|gratis (?:verzending|bezorg\\p{L}+|levering|verzonden)|бесплатн\\p{L}+ доставк\\p{L}+|доставка бесплатн\\p{L}+|free ?ship',
  ),
  unspaced(
    '送料(?:は)?(?:無料|0円)|包[邮郵]|免[运運][费費]?|免[费費](?:送[货貨]|配送|快递)|무료\\s*배송|배송비\\s*(?:는\\s*)?무료',
  ),
]

/** Free products or services. */
export const gratis: readonly RegExp[] = [
  words(
    '(?<!(?:feel|set|break|broke|be|been|run|roam|is|are|hands|get|guilt|cost of)\\s)(?<!-)free(?!-)(?!\\s(?:of|from|time|up|will|speech|yourself|as|fall|spirit|your (?:mind|self|time)|kick))|(?:app|game|download|it|everything|plan|version) is (?:now |completely |totally |always |absolutely |100% )?free|free of (?:charge|cost)|free[- ]to[- ](?:play|use|download|try|join)|get(?: \\p{L}+){1,3} free',
  ),
  words(free.replace(/^free\|/, '')),
  unspaced('無料|0円|무료|(?<![0-9,.])0원(?=\\s*[!！💸🎁]|$)|免费|免費'),
]

/** A gift with a purchase or a visit; gift ideas do not count. */
export const gifts: readonly RegExp[] = [
  words(
    `${price} (?:\\p{L}+ )?(?:reward|bonus|credit|gift card|voucher)s?|get (?:up to |an? )?${price} (?:in|free|bonus|if|when)|gift ?codes?|gifts? for (?:new|all|every)|free (?:\\p{L}+ )?gifts?|(?:bonus|complimentary|welcome) gifts?|gift with (?:every |any |your )?(?:purchase|order)|(?:get|receive|claim)(?: \\p{L}+){0,2} gift(?! (?:cards?|ideas?|guide|shop|wrap))|(?:kostenlose\\p{L}{0,2}|gratis)[- ]?geschenke?|geschenk (?:gratis|dazu|zu jeder)|gratis dazu|(?:als|ein) geschenk (?:dazu|gratis|zu)|cadeaux? (?:offerts?|gratuits?|de bienvenue|surprises?)|en cadeau|reçois(?:sez)? (?:un|votre|ton|des) cadeaux?|(?:de|un) regalo (?:gratis|con|por)|(?:refrigerante|producto|bono|kit|\\p{L}+) de regalo|te regalamos|(?:in|un) (?:omaggio|regalo)(?= (?:con|per|a)|[!.]|$)|de brinde|brindes? (?:grátis|exclusiv\\p{L}+)|(?:gratis )?cadeau bij|gratis cadeau|в подарок|подар(?:ок|ки) (?:за|при|кажд\\p{L}+)`,
  ),
  unspaced(
    '사은품|증정|(?:보너스|상품권|기프티콘|포인트|굿즈)[^.!?\\n]{0,12}(?:지급|받(?:자|으|아)|드려|드립)|전원[^.!?\\n]{0,15}지급|선물(?:을|도)?\\s*[!🎁]|(?<!로)\\s받(?:기|아\\s?가(?:세요|자))(?![가-힣])|선물\\s*(?:을|도|까지)?\\s*(?:드(?:려|립|릴)|증정|받)|경품|プレゼント(?!(?:に|選|用|として|を(?:贈|選|探|買)))|もれなく|おまけ付|[赠贈](?:送|品)|免费送|送(?:好礼|豪礼|好禮)',
  ),
]

/** Buy one, get one free. */
export const oneMore: readonly RegExp[] = [
  words(
    'buy (?:one|1|two|2|three|3),? get (?:one|1|two|2)(?: (?:free|gratis))?|bogo|(?:two|2) for (?:one|1)|3 for 2|[23] ?x ?[12]|lleva \\d (?:\\p{L}+ )?(?:y |por )?paga (?:solo )?\\d|(?:un|une|1) achetée?s? ?[=,:]? ?(?:un|une|1) offerte?s?|acheté[=, ]+(?:le 2(?:e|ème)) (?:est )?offert',
  ),
  unspaced(
    '(?<![0-9])[1-3]\\s?\\+\\s?1(?![0-9%])|하나\\s*(?:를\\s*)?사면\\s*하나|[买買]一[送赠贈]一|1個買うと',
  ),
]
