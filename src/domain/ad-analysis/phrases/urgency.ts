import { type Phrase, unspaced, words } from '../../../text/phrase.ts'

export type Urgency = 'today' | 'deadline' | 'limited-time' | 'last-chance' | 'few-left' | 'hurry'

export const urgencyStatements: Record<Urgency, string> = {
  today: 'Holds today only.',
  deadline: 'Ends at a time it names.',
  'limited-time': 'Holds for a limited time.',
  'last-chance': 'Is the last chance.',
  'few-left': 'Few are left.',
  hurry: 'Tells people to hurry.',
}

const weekday =
  'monday|tuesday|wednesday|thursday|friday|saturday|sunday|midnight|tonight|tomorrow|the end of (?:the )?(?:day|week|month|year)'
const tag = 'montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|mitternacht|morgen'

/** Reasons to act now. */
export const urgencies: readonly Phrase<Urgency>[] = [
  { kind: 'today', pattern: words('(?:only|just) today|today only|for today only') },
  {
    kind: 'deadline',
    pattern: words(
      `(?:until|till|before|by|ends|ending|expires)(?: on| this)? (?:${weekday})|(?:offer|sale|deal) ends`,
    ),
  },
  {
    kind: 'deadline',
    pattern: words(
      '(?:only|just) \\d+ (?:hours?|days?|minutes?) (?:left|to go|remaining)|\\d+ (?:hours?|days?) left',
    ),
  },
  {
    kind: 'limited-time',
    pattern: words(
      'limited[- ]time|limited (?:offer|period|deal)|for a (?:short|limited) time|this week only|this weekend only',
    ),
  },
  { kind: 'last-chance', pattern: words('last (?:chance|call|day|days)|final (?:hours?|days?|call)') },
  {
    kind: 'few-left',
    pattern: words(
      'while (?:supplies|stocks?) lasts?|(?:only|just) (?:a few|\\d+) (?:spots?|seats?|places?|items?|pieces)?\\s*(?:left|remaining)|almost (?:gone|sold out)|selling out|limited (?:spots|seats|stock)',
    ),
  },
  {
    kind: 'hurry',
    pattern: words("hurry(?: up)?|don['’]t (?:miss|wait)|before it['’]s (?:too late|gone)|act (?:now|fast)"),
  },

  { kind: 'today', pattern: words('nur (?:noch )?heute') },
  {
    kind: 'deadline',
    pattern: words(
      `(?:nur (?:noch )?)?bis (?:zum |zu |einschließlich )?(?:${tag}|\\d{1,2}\\.)|(?:angebot|aktion) endet|noch \\d+ (?:tage|stunden)`,
    ),
  },
  {
    kind: 'limited-time',
    pattern: words(
      'nur für kurze zeit|für begrenzte zeit|zeitlich begrenzt|begrenztes angebot|nur diese woche',
    ),
  },
  { kind: 'last-chance', pattern: words('letzte chance|letzter tag|letzte tage|nur noch wenige tage') },
  {
    kind: 'few-left',
    pattern: words(
      'solange der vorrat reicht|nur noch (?:wenige|\\d+) (?:plätze|stück|verfügbar)|fast ausverkauft|begrenzte plätze',
    ),
  },
  { kind: 'hurry', pattern: words('beeil dich|beeilen sie sich|nicht verpassen|verpasse? nicht') },

  {
    kind: 'today',
    pattern: words("(?:seulement )?aujourd['’]hui (?:seulement|uniquement)|uniquement aujourd['’]hui"),
  },
  {
    kind: 'deadline',
    pattern: words(
      "jusqu['’](?:à|au) (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|\\d{1,2})|plus que \\d+ (?:jours?|heures?)",
    ),
  },
  { kind: 'limited-time', pattern: words('(?:durée|offre|temps) limitée?|pour une durée limitée') },
  { kind: 'last-chance', pattern: words('dernière chance|derniers? jours?|dernières heures') },
  {
    kind: 'few-left',
    pattern: words('(?:places|stocks?) limité(?:es|s)?|dans la limite des stocks|plus que quelques places'),
  },
  { kind: 'hurry', pattern: words('dépêchez-vous|dépêche-toi|ne (?:manquez|ratez|rate) pas') },

  { kind: 'today', pattern: words('s[oó]lo (?:por )?hoy|[uú]nicamente hoy') },
  {
    kind: 'deadline',
    pattern: words(
      'hasta el (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo|\\d{1,2})|quedan \\d+ (?:días|horas)',
    ),
  },
  { kind: 'limited-time', pattern: words('(?:por )?tiempo limitado|oferta limitada') },
  { kind: 'last-chance', pattern: words('última oportunidad|últim[oa]s (?:días|horas)') },
  { kind: 'few-left', pattern: words('plazas limitadas|hasta agotar existencias|últimas (?:plazas|unidades)') },
  { kind: 'hurry', pattern: words('date prisa|no te lo pierdas|no esperes más') },

  { kind: 'today', pattern: words('(?:só|somente|apenas) hoje') },
  {
    kind: 'deadline',
    pattern: words(
      'até (?:segunda|terça|quarta|quinta|sexta|sábado|domingo|amanhã|meia-noite|o dia)|faltam \\d+ (?:dias|horas)',
    ),
  },
  { kind: 'limited-time', pattern: words('(?:por )?tempo limitado|oferta (?:por tempo )?limitada') },
  { kind: 'last-chance', pattern: words('última chance|últim[oa]s (?:dias|horas)') },
  {
    kind: 'few-left',
    pattern: words('vagas limitadas|enquanto durar(?:em)? (?:o|os) estoques?|últimas (?:vagas|unidades)'),
  },
  { kind: 'hurry', pattern: words('corra|não perca|não espere mais') },

  { kind: 'today', pattern: words('solo (?:per )?oggi') },
  {
    kind: 'deadline',
    pattern: words(
      '(?:fino a|entro)(?: il)? (?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|mezzanotte|\\d{1,2})',
    ),
  },
  { kind: 'limited-time', pattern: words('(?:a |per un )?tempo limitato|offerta limitata') },
  { kind: 'last-chance', pattern: words('ultima (?:occasione|possibilità)|ultim[ei] (?:giorni|ore)') },
  { kind: 'few-left', pattern: words('posti limitati|fino a esaurimento(?: scorte)?') },
  { kind: 'hurry', pattern: words('affrettati|non perdere(?: tempo)?|non lasciarti(?:lo|la)? sfuggire') },

  { kind: 'today', pattern: unspaced('本日限り|今日だけ|今日限り') },
  { kind: 'deadline', pattern: unspaced('[0-9０-９]+(?:日|時)まで(?!に)|残り[0-9０-９]+(?:日|時間)') },
  { kind: 'limited-time', pattern: unspaced('期間限定|今だけ|今なら|限定公開|限定キャンペーン') },
  { kind: 'last-chance', pattern: unspaced('ラストチャンス|最後のチャンス') },
  { kind: 'few-left', pattern: unspaced('残りわずか|数量限定|先着[0-9０-９]*') },
  { kind: 'hurry', pattern: unspaced('お早めに|急いで|お急ぎください|お見逃しなく') },

  { kind: 'today', pattern: unspaced('오늘만|仅限今日|今日限定|僅限今日') },
  { kind: 'limited-time', pattern: unspaced('기간\\s*한정|한정\\s*기간|限时|限時') },
  { kind: 'last-chance', pattern: unspaced('마지막\\s*기회|最后机会|最後機會') },
  { kind: 'few-left', pattern: unspaced('수량\\s*한정|선착순|数量有限|數量有限') },

  { kind: 'today', pattern: words('только (?:сегодня|до конца дня)') },
  {
    kind: 'deadline',
    pattern: words(
      'до (?:понедельника|вторника|среды|четверга|пятницы|субботы|воскресенья|полуночи|конца (?:недели|месяца)|\\d{1,2} \\p{L}+я)|осталось \\d+ (?:дн|час)\\p{L}+',
    ),
  },
  { kind: 'limited-time', pattern: words('ограниченн\\p{L}+ (?:время|предложение|по времени)|недолго') },
  { kind: 'last-chance', pattern: words('последн\\p{L}+ (?:шанс|день|дни|часы)') },
  { kind: 'few-left', pattern: words('количество ограничено|осталось (?:мало|несколько)|пока есть в наличии') },
  {
    kind: 'hurry',
    pattern: words('спеши(?:те)?|не (?:упусти|упустите|пропусти|пропустите)|торопи(?:сь|тесь)'),
  },
]
