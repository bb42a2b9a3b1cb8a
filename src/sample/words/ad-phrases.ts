import { type Area, lines } from './theme.ts'

type AdWords = { readonly texts: readonly string[]; readonly titles: readonly string[] }

/** `{app}` and `{topic}` are filled in. */
export const adWords: Readonly<Record<Area, AdWords>> = {
  games: {
    texts: lines(`
      You have failed this level 14 times. Your sister did it in one. Play {app} free today.
      Only 3% can solve this before the kettle boils. Are you one of them? Download {app} now.
      No wifi? No problem. {app} plays anywhere, even in the tunnel. Install now and get 500 free coins!
      The {topic} your commute has been waiting for. 4.8 stars, zero guilt.
    `),
    titles: lines(`
      Play {app} free
      Can you beat level 10?
      The new {topic}
    `),
  },
  money: {
    texts: lines(`
      Still guessing where your paycheck goes? {app} shows you in 60 seconds. Try it free for 30 days.
      I cancelled 4 subscriptions I had forgotten, in one evening, with {app}. You could save $400 a year.
      Tired of budgets that fail by the 9th? {app} plans around real life. Join 200,000 people who stopped guessing.
      Get paid, split the bill, save the change. {app} does it in the background. No fees for the first 3 months.
    `),
    titles: lines(`
      Your money, finally tidy
      30 days free
      Budget without the guilt
    `),
  },
  work: {
    texts: lines(`
      Invoices written at midnight are invoices paid late. Send yours in 40 seconds with {app}.
      Your notes are in five places. Your deadline is in one. Put them together with {app}, free for students.
      "I got my Fridays back." See how small teams use {app} to plan the week in 10 minutes.
    `),
    titles: lines(`
      Plan less, finish more
      Try {app} for 14 days
      Made for small teams
    `),
  },
  life: {
    texts: lines(`
      Cannot sleep? Neither could Hannah. Then she tried 7 nights of {app}. Start your free week today.
      What is for dinner? {app} knows what is in your fridge. Save 50% on the yearly plan until Sunday.
      You do not need a gym. You need 12 minutes and a chair. Start your plan with {app}.
    `),
    titles: lines(`
      7 nights free
      50% off until Sunday
      12 minutes a day
    `),
  },
  media: {
    texts: lines(`
      One tap, and the stranger on your beach photo is gone. Try {app} free.
      Speak from the first lesson: 7 minutes a day with {app}, loved by 3 million patient learners.
      Your camera roll deserves better. New film looks in {app} every Friday. Limited offer: 40% off.
    `),
    titles: lines(`
      Edit like it is easy
      Speak in 7 minutes a day
      40% off this week
    `),
  },
}

/** German and Japanese variants for the campaigns that run there. */
export const foreignAdWords: Readonly<Record<'de' | 'ja', AdWords>> = {
  de: {
    texts: lines(`
      Jetzt {app} kostenlos testen: 30 Tage, jederzeit kündbar, ohne Kleingedrucktes.
      Über 50.000 Menschen nutzen {app} schon. Worauf wartest du? Heute 40 % Rabatt.
    `),
    titles: lines(`
      Kostenlos testen
      Heute 40 % Rabatt
    `),
  },
  ja: {
    texts: lines(`
      今なら{app}が30日間無料。まずは試してみませんか？
      毎日がちょっと楽になる。{app}を無料でダウンロード。
    `),
    titles: lines(`
      30日間無料
      今すぐはじめる
    `),
  },
}

/** Spoken words of a video, in order; each takes a few seconds. */
export const spokenLines: readonly (readonly string[])[] = [
  lines(`
    Okay, I was not going to post this.
    But I have used {app} for a month now.
    And I found four subscriptions I had forgotten.
    It took me one evening.
    You can try it free, the link is below.
  `),
  lines(`
    Everyone says you need more discipline.
    You do not, you need a better plan.
    This is {app}, and it plans around your real week.
    Download it today and see for yourself.
  `),
  lines(`
    Stop scrolling for six seconds.
    This level has beaten nine out of ten people.
    Think you can do it?
    Play {app} free now.
  `),
]

/** Advertisers with nothing in the store: their ads must link to no app. */
export const otherAdvertisers = lines(`
  The Sensible Umbrella Company
  Harbour Lane Coffee
  Grandmother's Knives
  Northwest Sock Exchange
  Bright Tooth Cooperative
`)
