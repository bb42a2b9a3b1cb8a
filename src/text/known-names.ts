import { fold } from './search-terms.ts'

/** Words that companies add to their names, folded. */
export const companyWords: ReadonlySet<string> = new Set(
  'the inc llc ltd limited corp corporation co company gmbh ag sa sas sarl bv ab oy kk plc pty group holdings technologies technology software studio studios labs lab media mobile apps app digital interactive games international bank card securities payment payments insurance finance financial life home travel japan usa europe 株式会社 有限会社 合同会社 有限公司 科技'.split(
    ' ',
  ),
)

/**
 * Platforms, companies, leagues and works whose names occur in listings of every kind: "sync with", "connect to", "skins
 * for". Apple refuses them in keywords as it refuses rivals' names.
 */
const knownNames: ReadonlySet<string> = new Set(
  `apple iphone ipad ipod itunes ios icloud imessage siri watchos macos mac airplay airdrop healthkit homekit appstore google
   android gmail facebook twitter instagram whatsapp youtube snapchat tiktok pinterest tumblr linkedin reddit skype messenger
   wechat weibo qq kakao kakaotalk telegram viber vk microsoft windows amazon alexa kindle dropbox evernote paypal venmo visa mastercard
   spotify netflix hulu uber lyft airbnb fitbit garmin strava samsung sony xbox playstation nintendo steam chromecast roku
   line minecraft mcpe roblox fortnite pokemon pikachu disney marvel lego barbie tetris scrabble pacman
   nfl nba mlb nhl mls ncaa nascar fifa uefa ufc wwe espn bbc cnn nbc abc cbs hbo mtv noaa nasa
   微信 微博 淘宝 腾讯 百度 阿里 支付宝 抖音 新浪 网易`.split(/\s+/),
)

/** Acronyms of common words, which are nobody's name. */
export const commonAcronyms: ReadonlySet<string> = new Set(
  `gps pdf rpg arpg jrpg mmo mmorpg moba rts tcg ccg pvp pve fps npc hp xp cp iq vr ar ai tv hd uhd dj sms mms vpn rss url usb nfc qr
   bmi hiit hrv ekg ecg gif dna id ui voip ip dns ssh ftp sat act gre lsat mcat toefl ielts gmat gcse usa uk us eu nyc la dm rv suv atm diy asmr lgbt
   sql html css php pc dvd cd ufo sos faq ocr csv txt doc zip jpg png raw hdr slr dslr eq midi bpm lcd led am pm ad bc pe pt ot cpr ems emt rn er
   crm erp pos hr bbq ufo tts stt`.split(/\s+/),
)

export const isKnownName = (word: string): boolean => knownNames.has(word)

const signOfRights = /[®™]/
const marked = /([\p{L}\p{M}\p{N}]+)\s?[®™]/gu

/** Words with a trademark sign, folded. */
export const wordsWithMark = (text: string): ReadonlySet<string> =>
  new Set(signOfRights.test(text) ? [...text.matchAll(marked)].map(([, word = '']) => fold(word)) : [])
