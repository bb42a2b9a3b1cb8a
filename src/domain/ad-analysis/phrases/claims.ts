import { type Phrase, unspaced, words } from '../../../text/phrase.ts'

export type Claim = 'users' | 'rating' | 'best' | 'money' | 'speed' | 'terms' | 'method'

export const claimStatements: Record<Claim, string> = {
  users: 'Says how many people use or love it.',
  rating: 'Names its rating.',
  best: 'Says that it leads or has won an award.',
  money: 'Promises money saved or earned.',
  speed: 'Says how soon it works.',
  terms: 'Promises terms, such as no fees or cancelling at any time.',
  method: 'Refers to science, doctors or experts.',
}

const many = String.raw`(?:\d[\d.,'’ ]{2,14}\d|\d[\d.,]{0,8}\s?(?:\+|k\+?|m\+?|thousand|million|billion|mio|tsd|millionen|mille|millions?|mil|milhões|milhão|millones|milioni|mila|tausend))`

/** Claims that ads make explicitly about the product; nothing is inferred. */
export const claims: readonly Phrase<Claim>[] = [
  {
    kind: 'users',
    pattern: words(
      `${many}\\+? (?:of )?(?:de )?(?:\\p{L}+ ){0,2}(?:people|users|players|customers|members|learners|students|fans|downloads|families|women|men|teams|menschen|nutzer(?:innen)?|kunden|spieler(?:innen)?|mitglieder|utilisateurs|clients|joueurs|personnes|personas|usuarios|jugadores|clientes|pessoas|usuários|jogadores|persone|utenti|giocatori|clienti|mensen|gebruikers)`,
    ),
  },
  {
    kind: 'users',
    pattern: words(
      "(?:millions|thousands|hundreds of thousands|millionen|tausende|des millions|miles|milhões|milioni|migliaia) (?:of |von |de |d[’']|di )?(?:\\p{L}+ ){0,2}(?:people|users|players|customers|learners|menschen|nutzern?|utilisateurs|personas|usuarios|pessoas|usuários|persone|utenti)",
    ),
  },
  {
    kind: 'users',
    pattern: unspaced(
      '[0-9０-９,，.]+\\s*万?(?:人|ユーザー|ダウンロード|DL)(?:以上|突破|が|に)|[0-9,.]+\\s*만\\s*(?:명|다운로드)|[0-9,.]+\\s*[万萬]\\s*(?:用户|用戶|人)',
    ),
  },
  {
    kind: 'rating',
    pattern: words(
      '[1-5](?:[.,]\\d)? ?(?:stars?|sternen?|étoiles|estrellas|estrelas|stelle|sterren)|five[- ]star|rated [1-5][.,]\\d|[1-5][.,]\\d ?(?:/|out of) ?5',
    ),
  },
  { kind: 'rating', pattern: /[★⭐]{3,5}|[1-5](?:[.,]\d)?\s?[★⭐]|評価\s?[1-5][.,]\d|星[1-5]/u },
  {
    kind: 'best',
    pattern: words(
      "award[- ]winning|(?:number one|no\\. ?1|nr\\. ?1|n[º°o]\\.? ?1|testsieger|preisgekrönt(?:e[nrsm]?)?|app of the (?:year|day)|editors[’'] choice|world[’']s (?:best|leading|first|most \\p{L}+)|(?:die|das) beste[n]? app|la meilleure app(?:lication)?|la mejor app|o melhor app(?:licativo)?|la migliore app)",
    ),
  },
  { kind: 'best', pattern: /#1(?![\p{L}\p{N}_])|第1位|No\.?1|ナンバーワン|ベストアプリ|1위/u },
  {
    kind: 'money',
    pattern: words(
      '(?:save|saved|earn|earned|win|make|made|spare|gespart|verdiene|gagnez|économisez|ahorra|gana|economize|ganhe|risparmia|guadagna)\\s(?:\\p{L}+ ){0,3}(?:[$€£]\\s?\\d[\\d.,]*|\\d[\\d.,]*\\s?(?:[$€£]|euros?|dollars?))',
    ),
  },
  {
    kind: 'speed',
    pattern: words(
      'in (?:just |only |nur |solo |seulement )?(?:under )?\\d{1,4} (?:seconds?|minutes?|hours?|days?|weeks?|sekunden|minuten|stunden|tagen|wochen|minutos|segundos|días|dias|minuti|secondi|giorni|settimane)|en (?:seulement |sólo |solo )?\\d{1,4} (?:secondes|minutes|heures|jours|segundos|minutos|horas|días|semanas)|em (?:apenas )?\\d{1,4} (?:segundos|minutos|horas|dias|semanas)|(?:only |just )?\\d{1,3} minutes? a day|\\d{1,3} minuten am tag',
    ),
  },
  { kind: 'speed', pattern: unspaced('(?:たった|わずか|1日|一日)[0-9０-９]+(?:秒|分|日)') },
  {
    kind: 'terms',
    pattern: words(
      'no (?:ads|fees|hidden fees|credit card|subscription|commitment|strings attached|wifi|equipment)(?: (?:needed|required))?|zero (?:fees|ads)|cancel any ?time|money[- ]back|guaranteed?|risk[- ]free|jederzeit kündbar|ohne (?:werbung|abo|kleingedrucktes|vertrag|gebühren)|geld[- ]zurück|sans (?:engagement|pub(?:licité)?|abonnement)|satisfait ou remboursé|sin (?:anuncios|compromiso|permanencia)|cancela cuando quieras|sem (?:anúncios|compromisso|taxas)|cancele quando quiser|senza (?:pubblicità|impegno|abbonamento)|disdici quando vuoi',
    ),
  },
  { kind: 'terms', pattern: unspaced('いつでも(?:解約|キャンセル)|広告なし|返金保証') },
  {
    kind: 'method',
    pattern: words(
      '(?:science|research)[- ]backed|backed by (?:science|research)|clinically (?:proven|tested)|scientifically proven|doctors? recommend\\p{L}*|recommended by (?:doctors|experts|therapists)|wissenschaftlich (?:belegt|erwiesen|bewiesen)|klinisch (?:getestet|erwiesen)|von ärzten empfohlen|cliniquement prouvé|científicamente probado|cientificamente comprovado|clinicamente testato',
    ),
  },
]
