import { type Area, lines, words } from './theme.ts'

type Voice = {
  /** Posts about an app: `{app}` and `{topic}` are filled in. */
  readonly about: Readonly<Record<Area, readonly string[]>>
  /** What follows when the post carries the address of the app in the store. */
  readonly callToLink: readonly string[]
  /** Posts about nothing we sell. */
  readonly other: readonly string[]
}

const everyArea = (texts: readonly string[]): Voice['about'] => ({
  games: texts,
  money: texts,
  work: texts,
  life: texts,
  media: texts,
})

export const english: Voice = {
  about: {
    games: lines(`
      POV: it is 2am and {app} said one more level
      My grandmother beat my high score in {app} and I have to move out now
      Nobody talks about the soundtrack of {app} and that is a crime
      Day 30 of playing {app} until something bad happens. So far: nothing bad
      Ranking every boss in {app} by how much they would enjoy soup
      {app} added a fishing rod and I have not seen my family since
    `),
    money: lines(`
      I used {app} for 30 days and found four subscriptions I forgot about
      How I saved $1,200 this year with {app} and no willpower at all
      Honest review of {app}: the good, the fees, and the goat jar
      Things {app} told me about my coffee habit that my friends were too kind to say
      Couples, try this: one evening, one bottle, one shared budget in {app}
      Stop paying for three {topic} apps. Here is what {app} does for nothing
    `),
    work: lines(`
      My whole week is planned in {app} and yes, that includes the nap
      Five things in {app} I wish I had known in my first year of freelancing
      I scanned 11 years of paper with {app} and found my diploma
      {app} versus a paper notebook: an entirely fair fight
      The {topic} setup nobody asked me for, built in {app}
    `),
    life: lines(`
      7 days of {app} before bed and I have opinions about rain sounds
      What I eat in a week when {app} is in charge and I am not allowed to argue
      {app} got me from the sofa to 5 km and only one of us cried
      Testing {app} in actual weather so you do not have to
      Three plants, two weeks, one {topic} app: an update
    `),
    media: lines(`
      Editing this whole video in {app} on a train, wish me luck
      I learned enough with {app} to order soup and start an argument
      The filter everyone is asking about is from {app}
      Read 40 books this year because {app} will not let me scroll
      {app} removed my ex from Venice. The pigeon stayed
    `),
  },
  callToLink: lines(`
    Get it here: {url}
    Link: {url}
    {url} (not an ad, I just like it)
    Found at {url}
  `),
  other: lines(`
    Unpopular opinion: kettles should have opinions
    A tour of my desk, which is mostly cables
    What is the best purchase under ten dollars you made this year?
    Rainy day routine, no talking
    Answering your questions about moving to a lighthouse
    Rate my sourdough from one to ten, be gentle
  `),
}

export const otherVoices: Readonly<Record<'ja' | 'de' | 'es', Voice>> = {
  ja: {
    about: everyArea(
      lines(`
        {app}を一か月使ってみた正直な感想です
        {app}のおかげで朝がちょっと楽になった話
        知らない人は損してる、{app}の便利な使い方５つ
        {app}、地味だけど最高。母にもすすめました
        無料でここまでできるの？ {app}をレビュー
      `),
    ),
    callToLink: lines(`
      ダウンロードはこちら {url}
      リンク：{url}
    `),
    other: lines(`
      今日のお弁当、卵焼きが成功しました
      雨の日の部屋づくり、ゆっくりどうぞ
    `),
  },
  de: {
    about: everyArea(
      lines(`
        Ich habe {app} vier Wochen getestet und bin überrascht
        {app}: was gut ist, was nervt und was mein Kater davon hält
        Drei Tricks in {app}, die kaum jemand kennt
        Warum ich wegen {app} mein Notizbuch verschenkt habe
        Ehrliche Meinung zu {app} nach 100 Tagen
      `),
    ),
    callToLink: lines(`
      Hier zu finden: {url}
      Link: {url}
    `),
    other: lines(`
      Schreibtisch-Tour, diesmal ohne Kabelsalat
      Welche Brotsorte beschreibt euch am besten?
    `),
  },
  es: {
    about: everyArea(
      lines(`
        Probé {app} durante 30 días y esto es lo que pasó
        La forma más fácil de empezar con {app}
        {app} me cambió los domingos, en serio
      `),
    ),
    callToLink: lines(`
      Enlace: {url}
    `),
    other: lines(`
      Un día conmigo en la biblioteca, sin hablar
    `),
  },
}

export const areaTags: Readonly<Record<Area, readonly string[]>> = {
  games: words('gaming mobilegames cozygames puzzle indiegame'),
  money: words('budgeting moneytok savings personalfinance investing frugal'),
  work: words('productivity planwithme studytok freelance organized'),
  life: words('wellness selfcare recipes running slowliving'),
  media: words('photoediting booktok languagelearning creator musician'),
}

const firstNames = words('mara jules teo anouk bee finn hana lotte pip rafa sol tilda umi wes yuki zadie')
const lastNames = words(
  'overthinks cooks.slowly plays.late saves reads.maps draws.badly runs.late tests.apps with.kettle in.the.rain',
)

/** `mara.saves` and so on: nobody we have met. */
export const handles: readonly string[] = firstNames.flatMap((first) =>
  lastNames.map((last) => `${first}.${last}`),
)
