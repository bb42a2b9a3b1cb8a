import { words } from './phrase.ts'

/** Phrases of lines about contracts, payments, addresses and accounts on networks, in many languages. */
const spoken = words(`
  subscriptions?|subscribers?|auto-?renew\\w*|renews?|renewals?|itunes account|apple id account|free trial period|
  privacy policy|terms of (?:use|service)|terms and conditions|eula|copyright|trademarks?|all rights reserved|registered|
  nielsen|opt[- ]out|follow us|like us|visit us|contact us|e-?mail us|customer support|facebook\\.com|twitter\\.com|
  continued use of gps|battery life|
  abonnements?|abo|datenschutz\\w*|nutzungsbedingungen|folge uns|
  politique de confidentialité|conditions d.utilisation|suivez-nous|renouvel\\w*|
  suscripci[oó]n\\w*|política de privacidad|términos|síguenos|assinaturas?|
  abbonament[oi]|informativa sulla privacy|seguici|abonnementen|privacybeleid|
  подписк\\p{L}*|политик\\p{L}* конфиденциальности`)
const unspacedSigns =
  /自動更新|利用規約|プライバシー|購読|个人信息|隐私|订阅|自动续|服务条款|訂閱|隱私|구독|개인정보|이용약관|[©®]/u
const address = /https?:|www\.|\b[\w.-]+\.(?:com|net|org|html)\b|[\w.]+@\w/i

/** Removes lines that do not describe the app: contracts, payments, addresses and "follow us". */
export const withoutLegalLines = (text: string): string =>
  text
    .split(/[\r\n\u2028\u2029]+/)
    .filter((line) => !address.test(line) && !spoken.test(line) && !unspacedSigns.test(line))
    .join('\n')

/** Voice actors with their roles, and battery use. */
const sideLines =
  /(?<![a-z])cv(?![a-z])|声優[:：]|キャスト|出演|声の|バッテリー|电池续航|电池寿命|電池|持续使用|battery|akkulaufzeit|batterie|batería/iu

/** The same as `withoutLegalLines`, and also removes lines of names, or about the device. */
export const withoutSideLines = (text: string): string =>
  withoutLegalLines(text)
    .split('\n')
    .filter((line) => !sideLines.test(line))
    .join('\n')
