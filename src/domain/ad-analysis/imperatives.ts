import table from '../../data/requests.json' with { type: 'json' }

/** The beginning of a sentence, or the place after a colon, a dash or an emoji. */
const start = String.raw`(?:^[^\p{L}\p{N}]*|[:–—|•¡]\s*|[\p{Extended_Pictographic}\p{RI}][\uFE0F\s]{0,3})`

/** Signs that point at the following text, or end the sentence. */
const end = String.raw`(?=\s*(?:[^\p{L}\p{N}\s]|$))`

/** A heart in place of the verb: "❤️ this tweet". */
const heart =
  /[❤♥🧡💛💚💙💜🖤🤍🤎]\uFE0F?\s*(?:(?:this|ce|cet|este|esse|diesen?) (?:tweet|post)|(?:like|rt|retweet) if)/iu

const begins = (verbs: string, object: string) =>
  new RegExp(String.raw`${start}(?:${verbs})${object}(?!\p{L})`, 'iu')

/** English words that begin a sentence and are no verbs, or that make a question of what follows. */
const notVerbs = table.notVerbs.join('|')

/**
 * Verb forms by which a language makes a request, whatever its object. They apply to that language alone, since the same
 * endings occur in other words elsewhere. Languages that do not mark the imperative are missing.
 */
const forms: Readonly<Record<string, readonly RegExp[]>> = {
  /**
   * The first word of a sentence, in no closed word class, with an object or a particle after it: English has no other mark
   * of the imperative. Participles announce, and sentences with "?" ask.
   */
  en: [
    begins(
      String.raw`(?!(?:${notVerbs})(?!\p{L}))(?!\p{L}+(?:ing|ed|ly|[^s]s)\s)\p{L}{2,}(?: (?:and|or|&) (?!(?:${notVerbs})(?!\p{L}))\p{L}{2,})?`,
      String.raw`\s(?:your|our|the|an?|my|this|these|those|that|any|every|some|it|them|us|me|yourself|yours|all|up|out|off|away|back|into?|with|for free|now|today|\d+|[$€£]\d+)(?![^.!]{0,80}\?)`,
    ),
    begins(
      table.verbs.join('|'),
      String.raw`\s(?!(?:is|are|was|were|will|has|had|can|of)(?!\p{L}))(?:\p{L}|&)[\p{L}\p{N}-]*(?![^.!]{0,80}\?)`,
    ),
    begins(
      "don[’']t (?!(?:you|we|they|know)(?!\\p{L}))\\p{L}+|be (?:the first|part of|sure)|please \\p{L}+|say (?:goodbye|hello|yes|no)|stay (?:tuned|ahead)",
      '',
    ),
    heart,
  ],
  /**
   * A verb in -ez without "vous" as its subject; questions have "-vous" after it. A verb in -e that begins a sentence, since
   * a subject would come before it.
   */
  fr: [
    /(?<!\bvous (?:\p{L}{1,4}[ ’'])?(?:\p{L}{1,4}[ ’'])?)(?<![\p{L}\p{N}’'-])(?!(?:chez|assez|nez|rez|rendez-vous|avez|êtes|pouvez|voulez|savez|aimez|devez|allez)(?!\p{L}))(?:\p{L}{2,}ez|faites|dites(?=-| (?:adieu|bonjour|oui|non)))(?!-vous[^.!]*\?)(?:-(?:vous|nous|moi|les?|la|en|y))?(?!\p{L})/iu,
    begins(
      String.raw`(?!(?:comme|entre|contre|chaque|une|cette|notre|votre|quatre|que|elle|quelque|toute|même|autre|outre|presque|derrière|encore|je|parce|lorsque|puisque|jusque|dire|faire|être|voire|propose|aide|offre|reste|pendant|livre)(?!\p{L}))\p{L}{2,}e(?:-(?:toi|nous|les?|la))?`,
      String.raw` (?:t(?:on|a|es)|l(?:e|a|es)|l[’']\p{L}+|une?|des|c(?:e|et|ette|es)|nos|notre|vite|maintenant|sur|avec|dès|gratuitement)`,
    ),
    begins(
      String.raw`(?:ensemble )?\p{L}{3,}(?<!ti)ons(?:-(?:nous|en|y|l(?:e|a|es)))?`,
      String.raw` (?:ensemble|l(?:e|a|es)|l[’']\p{L}+|une?|nos|notre|pour|tous|du|de la)`,
    ),
    /(?<!\p{L})\p{L}{3,}ons-(?:nous|en|y|les?|la)(?!\p{L})/iu,
    heart,
  ],
  /**
   * A verb with its pronoun attached, which moves the accent ("contáctanos"), for verbs of ads also without the accent; a
   * verb that begins a sentence and has "your" after it.
   */
  es: [
    /(?<!\p{L})(?!(?:ángeles|túneles|cárceles|escándalos?|intérpretes?|pétalos?|óvalos?|móvil(?:es)?|sótanos?)(?!\p{L}))\p{L}*[áéíóú]\p{L}{1,4}[ae](?:me|te|se|nos|l[aeo]s?)(?!\p{L})/iu,
    new RegExp(
      String.raw`(?<!\p{L})(?:${table.spanishVerbs.join('|')})(?:te|nos|me|se|los?|las?)(?!\p{L})`,
      'iu',
    ),
    /(?:^|[,;:–—!¡]\s*|\p{Extended_Pictographic}\s*)(?:no (?:te (?:lo )?|se (?:lo )?)?(?:pierd|esper|dej|olvid|dud)\p{L}+|haz|ven|entra|sig[au]e?|comparte|etiqueta|comenta|elige|crea|cuida|regal[ae]|consient[ae]|usa|use)(?!\p{L})/iu,
    begins(
      String.raw`(?!(?:incluye|tiene|entre|sobre|desde|durante|para|hasta|mediante|esta|toda|cada|una|que|porque|donde|parte|dale)(?!\p{L}))\p{L}{3,}[ae]`,
      ` (?:tus?|sus?|nuestr[oa]s?|lo mejor)`,
    ),
    heart,
  ],
  /** Verbs in -세요 and -십시오 that do not ask or greet, proposals, and verbs in -기 before a sign. */
  ko: [
    /(?<!안녕하|[가-힣]신|계|(?:^|[^가-힣])이|있으|없으|싶으|필요하|궁금하|아니)(?:세요|십시오)(?![가-힣])(?!\s*[?？])/u,
    new RegExp(
      `[가-힣](?:하|가|보|받|먹|사|쓰|두|읽|만들|남기|챙기|즐기|담|찾|듣|모으|떠나|키우|꾸미|바꾸)기${end}`,
      'u',
    ),
    new RegExp(String.raw`(?:하|가|보|받|즐기|먹|떠나|놀|만나|챙기|누리)자구?${end}|한\s*번\s*가자`, 'u'),
    new RegExp(
      String.raw`[가-힣]봐요?${end}|[가-힣]러\s*(?:가기|가자|가보자|와|오세요)|[을를] (?:봐|들어|읽어)(?=[,.!~])|[가-힣]{2}\s*검색\s*$|주라(?![가-힣])|(?:댓글|답글|인용|RT|팔로우|리트윗|공유)[^.!?\n]{0,20}면(?![가-힣])`,
      'u',
    ),
    new RegExp(
      `(?:구매|주문|신청|확인|클릭|예약|다운로드|참여)해요?${end}|(?:고고|GO ?GO|ㄱㄱ)(?![가-힣A-Za-z])`,
      'u',
    ),
    /(?:문의|상담|예약|신청|구매|주문|확인|참고|방문|부탁)\s*부탁|부탁드(?:려요|립니다)/u,
  ],
  ja: [/(?:して|って|んで|いて)(?:みて(?:ね|ください|！|!|$)|ください)|(?:ましょう|しよう)(?=[。！!～♪\s]|$)/u],
  ru: [/(?<!\p{L})\p{L}{3,}(?:йте|йтесь)(?!\p{L})/iu],
  de: [/(?<!\p{L})jetzt(?: [^.!?]{1,60})? \p{Ll}{3,}en\s*(?:[.!]|$)/iu],
}

/** The request in a text of a language; undefined where there is none, or where its verbs do not show it. */
export function imperativeIn(text: string, language: string | undefined): RegExpExecArray | undefined {
  for (const pattern of forms[language?.split('-')[0] ?? ''] ?? []) {
    const match = pattern.exec(text)
    if (match) return match
  }
  return undefined
}
