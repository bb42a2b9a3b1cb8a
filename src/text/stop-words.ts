import stopLists from 'stopword'
import { normalForm } from './normal-form.ts'
import { fold } from './search-terms.ts'

/** Names of the package's lists by ISO 639-1, and by CLDR's names for two languages. They are ISO 639-3 with two exceptions. */
const listNames: ReadonlyMap<string, string> = new Map(
  `af afr, ar ara, bn ben, bg bul, ca cat, cs ces, da dan, de deu, el ell, es spa, et est, eu eus,
   fa fas, fi fin, fil tgl, fr fra, gu guj, ha hau, he heb, hi hin, hr hrv, hu hun, hy hye, id ind, it ita, ja jpn,
   ko kor, ku kur, lt lit, lv lav, mr mar, ms msa, my mya, nb nob, nl nld, nn nob, no nob, pa panGu, pl pol, pt por, ro ron,
   ru rus, sk slk, sl slv, sv swe, sw swa, th tha, tl tgl, tr tur, uk ukr, vi vie, yo yor, zh zho`
    .split(',')
    .map((pair) => pair.trim().split(' ') as [string, string]),
)

/** Languages whose stop words are used. Each list was checked against the topics of apps in its language: docs/words.md. */
export const languagesWithStopWords: readonly string[] = ['en', ...listNames.keys()]

/**
 * Replacements, with only function words, for lists that were counted in newspapers or an encyclopedia and contain their topics.
 */
const grammar: Readonly<Record<string, string>> = {
  msa: `ada adalah adanya akan amat antara apa apabila atas atau bagaimanapun bagi bahawa beberapa beliau belum berada berbanding
    berdasarkan berikutan berkaitan berkata berkenaan bersama boleh bukan dalam dan dapat dari daripada dengan demikian di hanya hingga ia
    iaitu ialah ini itu jika juga kami katanya ke kepada kerana ketika kini kita lagi lain lebih maka mana manakala masih masing-masing
    melalui memandangkan mengenai menjadi menurut mereka merupakan mungkin oleh pada paling para pelbagai perlu pula sahaja sama saya se
    sebagai sebahagian sebanyak sebarang sebelum sebelumnya sebuah secara sedang segi sehingga sejak sekarang selain selama selepas
    seluruh semakin semalam semasa sementara semua semula sendiri seorang sepanjang seperti serta setiap sini sudah supaya tanpa telah
    tentang terdapat terhadap termasuk tersebut terus tetapi tiada tidak turut untuk walaupun yang`,
  panGu: `ਦੇ ਵਿੱਚ ਦਾ ਅਤੇ ਦੀ ਇੱਕ ਨੂੰ ਹੈ ਤੋਂ ਇਸ ਇਹ ਨੇ ਤੇ ਨਾਲ ਲਈ ਵੀ ਸੀ ਵਿਚ ਕਿ ਜੋ ਉਹ ਉਸ ਹਨ ਜਾਂਦਾ ਕੀਤਾ ਗਿਆ ਹੀ ਕੇ ਜਾਂ ਦੀਆਂ ਜਿਸ ਕਰਨ ਹੋ ਕਰ ਆਪਣੇ ਕੀਤੀ ਤੌਰ
    ਬਾਅਦ ਨਹੀਂ ਉੱਤੇ ਸਭ ਉਨ੍ਹਾਂ ਹੁੰਦਾ ਤੱਕ ਇਕ ਹੋਇਆ ਬਹੁਤ ਪਰ ਦੁਆਰਾ ਹੋਰ ਆਪਣੀ ਤਾਂ ਗਈ ਦਿੱਤਾ ਕਿਸੇ ਕਈ ਜਾ ਵਾਲੇ ਉਸਨੇ ਕਿਹਾ ਹੋਣ ਜਾਂਦੀ ਵਿੱਚੋਂ ਜਦੋਂ
    ਪਹਿਲਾਂ ਕਰਦਾ ਹੁੰਦੀ ਹੋਏ ਸਨ ਵਜੋਂ ਕਰਦੇ ਕੁਝ ਸਾਰੇ ਹੁੰਦੇ ਹੋਈ ਅਨੁਸਾਰ ਸਕਦਾ ਕੋਈ ਗਏ ਕਾਰਨ ਕਰਕੇ ਜਿਵੇਂ ਚ ਬਾਰੇ ਜਾਂਦੇ ਵਾਲਾ ਜਾਣ ਰਿਹਾ ਵਾਲੀ ਦੌਰਾਨ ਤਰ੍ਹਾਂ ਨਾ
    ਇਨ੍ਹਾਂ ਇਸਨੂੰ ਇਹਨਾਂ ਉਸਨੂੰ ਉਹਨਾਂ ਫਿਰ ਹੁਣ ਕੀਤੇ ਆਦਿ ਲੈ ਵੱਲ ਵਲੋਂ ਰਹੇ ਕਰਦੀ ਹਰ ਜਿੱਥੇ ਵਿਖੇ ਆਪਣਾ ਕਰਨਾ ਰਹੀ ਰਾਹੀਂ ਦਿੱਤੀ ਉਸਦੇ ਆ ਇਸਦੇ ਇੱਥੇ ਉਸਦੀ ਕਿਉਂਕਿ
    ਅੰਦਰ ਵਿਚੋਂ ਜਿਨ੍ਹਾਂ ਇਲਾਵਾ ਵੱਲੋਂ ਕੁੱਝ ਇਸਦਾ ਸਕਦੇ ਕੋਲ ਜਿਹਨਾਂ ਜਿਸਦਾ ਹੇਠ ਇਸੇ ਤਕ ਇਸਦੀ ਸਕਦੀ ਵਿਚਕਾਰ ਉਸਦਾ ਹੁੰਦੀਆਂ ਅਕਸਰ ਜਿਸਨੂੰ ਹਾਲਾਂਕਿ ਕਦੇ ਇਸਨੇ ਨਾਲ਼ ਸਾਰੀਆਂ ਹੋਵੇ ਜੇ
    ਅਜਿਹੇ ਵਰਗੇ ਨਾਲੋਂ ਅਜਿਹਾ ਵਾਸਤੇ ਵਾਲੀਆਂ ਵਾਂਗ ਭਾਵੇਂ ਕੇਵਲ ਤੋ ਪ੍ਰਤੀ`,
  yor: 'ó ní ṣe rẹ̀ tí àwọn sí ni náà láti kan ti ń o bí sì wà kí púpọ̀ mi wọ́n pẹ̀lú ṣùgbọ́n fún jẹ́ kò jù pé é gbogbo inú jẹ nítorí sínú yìí',
}

/** Words in the lists that are topics of apps, and short forms that are other words without their marks. */
const meant: Readonly<Record<string, string>> = {
  af: 'huis kom son',
  ar: 'الوقت يوم اليوم ايام سنة سنوات عام عين نفس صباح مساء قوة لقاء زيارة أب أخ غدا حار',
  bg: 'новина време ден дни година години месец живот екип час часа глас син юмрук смях',
  bn: 'কাজ কাজে দিন উত্তর',
  ca: 'any',
  cs: 'zprávy den dnes článku články tipy strana téma pet had',
  da: 'nyt mand god fire',
  de: 'zeit uhr tag tage tagen jahr jahre jahren mann mensch menschen recht rechte teil gott morgen ordnung beispiel ei sache',
  fr: 'ai',
  ha: 'rana wata daɗi sun mulongo',
  he: 'נגר',
  hi: 'घर',
  hu: 'hét hat év éve évek napot cikk cikkek elem no',
  id: 'waktu tahun kata bulan tanya tanyakan jawab jawaban soal pertanyaan tambah',
  it: 'ai',
  ko: '일 시간 아이 타다 기타',
  lt: 'ai save',
  mr: 'काम माहिती',
  ro: 'vreme vreo timp zi noroc fata halbă ai an nor cat face pic mine',
  sl: 'dan danes datum leto mesec nedelja stvar pet',
  sv: 'dag dagar dagarna dagen god hit ar saga',
  sw: 'habari wakati muda watu basi',
  th: 'วัน ผล ส่ง ทาง',
  tl: 'panahon gusto',
  tr: 'su yüz is at not',
  vi: 'việc chuyện',
}

/** Lists of the package that were decoded with the wrong encoding, by the right one. */
const encodings: Readonly<Record<string, string>> = { lit: 'windows-1257', slk: 'windows-1250' }

/** Languages in which marks distinguish words, so that a stop word without them is another word: "cho" is for, "chó" a dog. */
const toldByMarks: ReadonlySet<string> = new Set(['vie'])

/** Words missing in the English list, some because they change the meaning of a sentence; nobody searches for them alone. */
const moreEnglish =
  'no not nor few lot lots every ever always really whatever whenever wherever anything everything something nothing anyone everyone someone ve ll re don doesn didn isn aren wasn won couldn wouldn shouldn hasn haven'.split(
    ' ',
  )

const known = new Map<string, ReadonlySet<string>>()

/**
 * Stop words in lower case, as written and as folded for search: those of the language, and the English ones, which occur in
 * listings of every language. Look a word up as it is written: Danish "nogle" (some) is a stop word, "nøgle" (key) is not.
 */
export function stopWordsOf(language = 'en'): ReadonlySet<string> {
  const before = known.get(language)
  if (before) return before
  const name = listNames.get(language) ?? 'eng'
  const written =
    grammar[name]?.split(/\s+/) ?? (stopLists[name] ?? []).map((word) => decoded(word, encodings[name]))
  const forms = (words: readonly string[]) =>
    words.flatMap((word) => [normalForm(word, 'NFKC').toLowerCase(), fold(word)])
  const words = new Set([
    ...(toldByMarks.has(name) ? written.map((word) => normalForm(word, 'NFKC').toLowerCase()) : forms(written)),
    ...forms([...(stopLists.eng ?? []), ...moreEnglish]),
  ])
  const own = meant[language === 'fil' ? 'tl' : language]
  for (const word of forms(own?.split(' ') ?? [])) words.delete(word)
  known.set(language, words)
  return words
}

function decoded(word: string, encoding: string | undefined): string {
  const bytes = Buffer.from(word, 'latin1')
  return encoding && bytes.toString('latin1') === word ? new TextDecoder(encoding).decode(bytes) : word
}

let everywhere: ReadonlySet<string> | undefined

/** Stop words of all languages that have a list: some of them are significant in another language. */
export function stopWordsOfAll(): ReadonlySet<string> {
  everywhere ??= new Set(languagesWithStopWords.flatMap((language) => [...stopWordsOf(language)]))
  return everywhere
}

/** French imperatives, in a form that hardly any noun has: "suivez", "découvrez". */
const frenchCall = /\p{Script=Latin}{3}ez$/u

/** Function words that the package's short list lacks, in both written forms of Norwegian, and "the app". */
const moreNorwegian: ReadonlySet<string> = new Set(
  `din dine mine sine våre vårt annen annet andre hos innen gjennom samt blant under bak langs rundt ifølge flere fler flest mer mest mye
   mindre minst få får fikk fått gjør gjøre gjorde gjort bør burde må måtte blei gir gi går gå kommer komme tar ta ser se finner finne
   velger velge bruker bruke enten verken derfor dermed slike slikt alt aldri alltid ofte igjen fortsatt allerede kanskje heller ellers
   dessuten mens egen eget egne hel helt hele hvert hverandre ingenting osv
   ikkje eg ein ei eit dei dykk vere vera vore korleis kva kvar kven kvifor nokon noko frå meir mykje gjere gjer appen appene`
    .split(/\s+/)
    .flatMap((word) => [word, fold(word)]),
)

/** The same as `stopWordsOf`, with imperative forms where a language has them. */
export function emptyWordsOf(language: string | undefined): Pick<ReadonlySet<string>, 'has'> {
  const words = stopWordsOf(language)
  if (language === 'fr') return { has: (word) => words.has(word) || frenchCall.test(word) }
  if (language === 'no' || language === 'nb' || language === 'nn')
    return { has: (word) => words.has(word) || moreNorwegian.has(word) }
  return words
}

/** Words that most texts of a language contain and hardly any of another one, folded for search. */
const commonestWords: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  `en the and|de und der|fr les vous|es los para|it che gli|pt voce nao|nl het een|sv och att|da og af|no og av|fi ja on|
   pl sie oraz|cs se pro|tr ve icin|ru для или|uk для або|el και για|he של את|ar من على|hi के में|th และ ได้|vi cac cho|id yang dan|
   ja ます する|zh 我们 可以 我們|ko 습니다 있는`
    .split('|')
    .map((line) => line.trim().split(' '))
    .map(([language = '', ...words]) => [language, words.map(fold)]),
)

/** Words of which nearly every text of a language contains one; empty for a language without a list. */
export const commonestWordsOf = (language: string | undefined): readonly string[] =>
  commonestWords[language === 'nb' || language === 'nn' ? 'no' : (language ?? '')] ?? []

/**
 * Praise, imperatives and times that are frequent in listings of every kind: nobody searches for an app by them alone. They
 * have a meaning, so texts may contain them.
 */
export const wordsOfPraise: ReadonlySet<string> = new Set(
  `free best top new great easy easily simple simply fast quick quickly powerful amazing awesome beautiful perfect ultimate official
   popular favorite favourite fun cool better latest exclusive premium pro plus lite hd feature features featured include includes
   including available based designed enjoy discover download install update updates version today day days week time
   times help helps people users user way world million millions thousands list right start next now once together when off out pre minute minutes hour hours
   gratuit gratuite gratuitement meilleur meilleure meilleurs nouveau nouvelle nouveaux nouvelles facile simple rapide suivez
   decouvrez retrouvez recevez regardez profitez accedez partagez trouvez consultez reagissez choisissez chaque jour jours
   tous toute toutes tout grace depuis fonction fonctions fonctionnalites contenus nombreux plus ecran rubrique favoris
   kostenlos kostenlose kostenlosen gratis beste besten neu neue neuen einfach einfache schnell schnelle schneller viele
   mehr finde finden suche suchen entdecke entdecken speichere bewerte passende passenden tolle super jetzt taglich funktion funktionen
   gratis mejor mejores nuevo nueva nuevos facil rapido descubre disfruta encuentra comparte todos todas cada dia funciones
   gratuito migliore migliori nuovo nuova nuovi scopri trova ogni giorno tutti tutte funzioni
   melhor melhores novo nova novos descubra encontre aproveite todos todas
   無料 人気 簡単 かんたん おすすめ オススメ 最新 最大 最高 便利 機能 利用 対応 可能 楽しく 楽しい 楽しめる 作って 作っ こんな こんな方 ぴったり 毎日 豊富
   充実 紹介 情報 登録 設定 画面 詳細 必要 今すぐ 快適
   免费 免費 海量 最新 最热 最新最热 全新 必备 神器 功能 支持 用户 产品 产品简介 联系我们 随时 随地 随时随地 一键 轻松 体验 精彩 更多 热门 官方 下载
   拥有 尽情 完美 全网 平台 软件 我们 提供 专业 第一 经典 全民`
    .split(/\s+/)
    .map(fold),
)

/**
 * "App" and "application" in the languages of many listings, folded. Apple advises against them in keywords, as against
 * names of categories and repeated words.
 */
export const wordsForApp: ReadonlySet<string> = new Set(
  'app apps application aplicacion aplicativo applicazione applikation anwendung apli приложение アプリ 应用 應用 앱 어플 แอป'.split(
    ' ',
  ),
)
