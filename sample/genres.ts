import type { SampleCountry } from './document.ts'

/** Apple's genre ids with the names that each storefront gives them. */
const names: Readonly<Record<string, readonly [us: string, jp: string, de: string]>> = {
  '6000': ['Business', 'ビジネス', 'Wirtschaft'],
  '6001': ['Weather', '天気', 'Wetter'],
  '6002': ['Utilities', 'ユーティリティ', 'Dienstprogramme'],
  '6003': ['Travel', '旅行', 'Reisen'],
  '6004': ['Sports', 'スポーツ', 'Sport'],
  '6005': ['Social Networking', 'ソーシャルネットワーキング', 'Soziale Netze'],
  '6006': ['Reference', '辞書／辞典／その他', 'Nachschlagewerke'],
  '6007': ['Productivity', '仕事効率化', 'Produktivität'],
  '6008': ['Photo & Video', '写真／ビデオ', 'Foto und Video'],
  '6009': ['News', 'ニュース', 'Nachrichten'],
  '6010': ['Navigation', 'ナビゲーション', 'Navigation'],
  '6011': ['Music', 'ミュージック', 'Musik'],
  '6012': ['Lifestyle', 'ライフスタイル', 'Lifestyle'],
  '6013': ['Health & Fitness', 'ヘルスケア／フィットネス', 'Gesundheit und Fitness'],
  '6014': ['Games', 'ゲーム', 'Spiele'],
  '6015': ['Finance', 'ファイナンス', 'Finanzen'],
  '6016': ['Entertainment', 'エンターテインメント', 'Unterhaltung'],
  '6017': ['Education', '教育', 'Bildung'],
  '6018': ['Books', 'ブック', 'Bücher'],
  '6020': ['Medical', 'メディカル', 'Medizin'],
  '6023': ['Food & Drink', 'フード／ドリンク', 'Essen und Trinken'],
  '6024': ['Shopping', 'ショッピング', 'Shopping'],
  '6026': ['Developer Tools', '開発ツール', 'Entwickler-Tools'],
  '6027': ['Graphics & Design', 'グラフィック／デザイン', 'Grafik und Design'],
  '7001': ['Action', 'アクション', 'Action'],
  '7002': ['Adventure', 'アドベンチャー', 'Abenteuer'],
  '7004': ['Board', 'ボード', 'Brettspiele'],
  '7005': ['Card', 'カード', 'Kartenspiele'],
  '7006': ['Casino', 'カジノ', 'Casino'],
  '7009': ['Family', 'ファミリー', 'Familie'],
  '7011': ['Music', '音楽', 'Musik'],
  '7012': ['Puzzle', 'パズル', 'Denkspiele'],
  '7013': ['Racing', 'レーシング', 'Rennspiele'],
  '7014': ['Role Playing', 'ロールプレイング', 'Rollenspiele'],
  '7015': ['Simulation', 'シミュレーション', 'Simulation'],
  '7016': ['Sports', 'スポーツ', 'Sport'],
  '7017': ['Strategy', 'ストラテジー', 'Strategie'],
  '7018': ['Trivia', 'トリビア', 'Quiz'],
  '7019': ['Word', '単語', 'Wortspiele'],
}

const column: Readonly<Record<SampleCountry, 0 | 1 | 2>> = { us: 0, jp: 1, de: 2 }

export function genreName(genreId: string, country: SampleCountry): string {
  const row = names[genreId]
  if (!row) throw new RangeError(`no genre ${genreId}`)
  return row[column[country]]
}
