import { unspaced, words } from '../../../text/phrase.ts'

/** The pattern for all of its matches. */
const everywhere = (pattern: RegExp) => new RegExp(pattern.source, `${pattern.flags}g`)

/**
 * Words with "free" or a discount that are no offer: things the product is free of, terms of a sale, sayings, and things
 * that somebody is only looking for.
 */
export const notOffered: readonly RegExp[] = [
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
export const deniedBefore: readonly RegExp[] = [
  /(?<![\p{L}\p{N}])(?:no|not|never|without|isn['’]t|aren['’]t|wasn['’]t|ain['’]t|don['’]t (?:offer|have|need)|doesn['’]t (?:offer|have|need)|no longer|nor|neither)(?: (?:an?|any|the|really|entirely|completely|your|even|for|in|actually|totally|it|more))?\s*$/iu,
  /(?<![\p{L}\p{N}])(?:kein\p{L}{0,2}|nicht|nie|ohne|niemals|geen|niet|zonder|nooit)(?: (?:ganz|völlig|wirklich|einen?|eine[rnsm]?|helemaal|een|mehr))?\s*$/iu,
  /(?<![\p{L}\p{N}])(?:pas|sans|aucune?|jamais|n['’]est plus)(?: (?:d['’]|de|une?|entièrement|vraiment|totalement))?\s*$/iu,
  /(?<![\p{L}\p{N}])(?:no|sin|ning[uú]n\p{L}?|nunca|jamás|não|sem|nenhum\p{L}?|non|senza|nessun\p{L}?)(?: (?:es|está|son|hay|tiene|será|é|são|há|tem|è|sono|c['’]è|una?|uma?|del todo|totalmente))?\s*$/iu,
  /(?<![\p{L}\p{N}])(?:не|нет|без|никак\p{L}{1,3})(?: (?:совсем|является))?\s*$/iu,
  /(?:不是|并非|並非|不再|没有|沒有|不|非)\s*$/u,
]

/** Beginnings of the text after an offer that negate it. */
export const deniedAfter =
  /^(?:[\p{Script=Hiragana}]{0,4}(?:では(?:なく|ない|ありません)|じゃ(?:ない|ありません)|でない)|[가-힣]{0,2}\s*(?:아닙니다|아니|않))/u
