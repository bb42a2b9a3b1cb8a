import { lines } from './theme.ts'

/** How a description begins. `{brand}` and `{topic}` are filled in. */
export const openings = lines(`
  {brand} is the {topic} for people who would rather be doing something else.
  Meet {brand}, the {topic} that has been taught some manners.
  You asked for one {topic} without the noise. {brand} is what came of it.
  {brand}: the {topic} that careful thumbs recommend to careless ones.
  Looking for a simple {topic}? {brand} has been one since its first afternoon.
  Made by a small team with a large kettle, {brand} is the {topic} to recommend to your mother.
`)

/** Every game says some of these, whatever it is about. */
export const anyGame = lines(`
  Daily challenges, weekly events and a season that does not punish you for having a job.
  Play offline on the plane and catch up with your friends when it lands.
  No energy meter, no countdown, no shop that opens by itself: put it down and pick it up when you like.
  Climb the leaderboard, join a club, or turn both off and play in peace.
  Hundreds of levels at launch, with more added every other Thursday by a small and stubborn team.
  Collect rewards, unlock costumes and upgrade your home base between rounds.
`)

export const closings = lines(`
  Free to download and use; the subscription adds the extras and can be cancelled in two taps.
  Your information stays on your device unless you ask for it to be synced, and then it is encrypted.
  Write to us and a person answers, usually before lunch and always by name.
  Supports VoiceOver, large type and left-handed use, because we tried it that way.
  The subscription renews by itself until you turn renewal off, at least a day before the period ends.
  Rated by people we have never met, some of whom changed their minds in our favour.
  Works on phone and tablet, in portrait and landscape, with and without coffee.
  Terms and privacy policy are short, and somebody here has read them.
`)

/** What a version brought. Apple's first version of an app has none. */
export const releaseNotes = lines(`
  Bug fixes and performance improvements, which is true this time.
  The crash when rotating the phone during a full moon is gone. Thank you, Agnes.
  New: dark mode follows the sunset of where you are.
  Search is twice as fast and half as clever, which turned out to be better.
  You can now undo. We should have started there.
  Widgets come in three new sizes and one old one.
  Sync no longer forgets tablets that have been asleep since spring.
  Larger buttons for smaller screens, smaller adverts for everyone.
  We removed a screen nobody visited and gave its budget to the one you do.
  New levels, new costumes and a bridge that opens.
  Translated into four more languages by people who speak them.
  Fixes a rounding error of one cent that cost us a week of sleep.
  Sharing works again. So does not sharing.
  The subscription page now says the price first.
  Battery use is down by a third; our apologies to your charger.
  Season update: snow, soup and forty new challenges.
  VoiceOver reads charts aloud, including the sad ones.
  Onwards: support for the newest system and its round corners.
`)

/** Sentences of apps at home elsewhere, with the same two blanks. */
export const foreignSentences: Readonly<Record<'ja' | 'de' | 'zh', readonly string[]>> = {
  ja: lines(`
    「{brand}」は、毎日の{topic}をやさしく手伝うアプリです。
    はじめての{topic}でも、三分で使い方がわかります。
    むずかしい設定はありません。開いて、さわって、すぐ{topic}。
    会員登録なしで、すべての基本機能が無料で使えます。
    ウィジェットに対応し、ホーム画面から{topic}をすぐ確認できます。
    家族や友だちと共有して、みんなで続けられます。
    データは端末の中に保存され、外に送られることはありません。
    通知は一日一回だけ。静かに見守ります。
    機種変更のときも、バックアップからかんたんに戻せます。
    ご意見は開発チームの三人がすべて読んでいます。
  `),
  de: lines(`
    {brand} macht {topic} so einfach, dass sogar der Schwager mitmacht.
    {topic} ohne Werbung, ohne Konto und ohne erhobenen Zeigefinger.
    In zwei Minuten eingerichtet, danach läuft alles rund um {topic} fast von selbst.
    Alle Angaben bleiben auf deinem Gerät; wer möchte, gleicht sie verschlüsselt ab.
    Widgets zeigen das Wichtigste auf dem Sperrbildschirm und sonst nichts.
    Funktioniert auch im Funkloch, also überall.
    Teile alles mit der Familie und behalte die Geschenke für dich.
    Bei Fragen antwortet ein Mensch, meistens vor der Mittagspause.
    Auswertungen nach Woche, Monat und Jahr lassen sich als Tabelle ausgeben.
    Das Abo ist freiwillig und mit zwei Fingertipps kündbar.
  `),
  zh: lines(`
    《{brand}》让{topic}变得简单又有趣。
    三分钟上手，不用注册，打开就能用。
    每天一点点{topic}，一年之后你会感谢自己。
    所有资料都保存在本机，不会上传。
    支持桌面小组件，重要的事情一眼就能看到。
    可以和家人朋友一起分享，也可以一个人安静地用。
    没有广告，没有倒计时，没有红点。
    每两周更新一次，你的建议我们都会认真看。
  `),
}
