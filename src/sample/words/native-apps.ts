/** Apps that were made for one market first: name and description stay in its language in every storefront. */
export type NativeApp = {
  readonly name: string
  /** In Latin letters, for the bundle id. */
  readonly slug: string
  readonly genreId: string
  /** What it is for, in its own language. */
  readonly topic: string
}

export type NativeMarket = {
  readonly language: 'ja' | 'de' | 'zh'
  readonly makers: readonly { readonly name: string; readonly seller: string; readonly slug: string }[]
  readonly apps: readonly NativeApp[]
}

const apps = (text: string): NativeApp[] =>
  text
    .trim()
    .split(/\n\s*/)
    .map((line) => {
      const [name = '', slug = '', genreId = '', topic = ''] = line.split('|')
      return { name, slug, genreId, topic }
    })

const makers = (text: string): NativeMarket['makers'] =>
  text
    .trim()
    .split(/\n\s*/)
    .map((line) => {
      const [name = '', seller = '', slug = ''] = line.split('|')
      return { name, seller, slug }
    })

export const nativeMarkets: readonly NativeMarket[] = [
  {
    language: 'ja',
    makers: makers(`
      ねこやなぎ工房|Nekoyanagi Kobo K.K.|nekoyanagi
      雨やどりソフト|Amayadori Soft Inc.|amayadori
      みかん箱ゲームス|Mikanbako Games Inc.|mikanbako
      三毛ラボ|Mike Lab G.K.|mikelab
      縁側デジタル|Engawa Digital K.K.|engawa
      つくえのうえ株式会社|Tsukue no Ue K.K.|tsukuenoue
    `),
    apps: apps(`
      ちゃりん家計簿 - かんたん節約|charin-kakeibo|6015|家計簿
      こつこつ貯金ねこ|kotsukotsu-neko|6015|貯金
      そろばん銀行|soroban-bank|6015|モバイルバンキング
      ふたりのおさいふ：共有家計簿|futari-osaifu|6015|共有家計簿
      株のめばえ - 投資入門|kabu-no-mebae|6015|株と投資
      レシートぱくり|receipt-pakuri|6015|支出管理
      ねむり羊：睡眠サウンド|nemuri-hitsuji|6013|睡眠
      あさラジオ体操クラブ|asa-taiso|6013|体操
      おべんとう日和 - レシピ|obento-biyori|6023|レシピ
      雨雲さんぽ：天気レーダー|amagumo-sanpo|6001|天気
      はんこメモ - タスク管理|hanko-memo|6007|タスク管理
      英語のこだま - 英語学習|eigo-no-kodama|6017|英語学習
      漢字つみき|kanji-tsumiki|6017|漢字学習
      ものがたり温泉（脱出ゲーム）|monogatari-onsen|7002|脱出ゲーム
      たぬきパズル：マッチ３|tanuki-puzzle|7012|パズル
      ことばの積み木 - 単語パズル|kotoba-tsumiki|7019|単語パズル
      放置勇者と百匹のねこ|hochi-yusha|7014|放置系ＲＰＧ
      金魚すくい名人|kingyo-meijin|7015|金魚すくい
      将棋えんがわ|shogi-engawa|7004|将棋
      フィルムの縁側：写真加工|film-no-engawa|6008|写真加工
      電車でぽん！|densha-pon|7001|ランアクション
      日記のひきだし|nikki-no-hikidashi|6012|日記
    `),
  },
  {
    language: 'de',
    makers: makers(`
      Butterbrot Software|Butterbrot Software GmbH|butterbrot
      Feierabend Apps|Feierabend Apps UG (haftungsbeschränkt)|feierabend
      Gummistiefel Spiele|Gummistiefel Spiele GmbH|gummistiefel
      Kuckuck & Söhne|Kuckuck & Söhne OHG|kuckuck
      Zettelwirtschaft|Zettelwirtschaft GmbH|zettelwirtschaft
    `),
    apps: apps(`
      Groschengrab: Haushaltsbuch|groschengrab|6015|Haushaltsbuch
      Sparschwein Günther|sparschwein-guenther|6015|Sparen
      Kassensturz – Ausgabenbuch|kassensturz|6015|Ausgaben
      Depotdackel: Aktien & ETFs|depotdackel|6015|Aktien
      Zettelkasten Zwei|zettelkasten-zwei|6007|Notizen
      Schichtwechsel Dienstplan|schichtwechsel|6000|Dienstplan
      Regenschirm? Wetter & Radar|regenschirm|6001|Wetter
      Gleis Neun: Fahrplan & Radar|gleis-neun|6010|Fahrplan
      Brotzeit – Rezepte mit Resten|brotzeit|6023|Rezepte
      Gartenzwerg Kalender|gartenzwerg|6012|Gartenkalender
      Schlafmütze: Einschlafhilfe|schlafmuetze|6013|Einschlafen
      Rückenwind Lauftraining|rueckenwind|6013|Lauftraining
      Vokabelhamster|vokabelhamster|6017|Vokabeln
      Wörterschmied: Kreuzworträtsel|woerterschmied|7019|Kreuzworträtsel
      Maulwurf Minigolf|maulwurf-minigolf|7016|Minigolf
      Skatbrüder Online|skatbrueder|7005|Skat
      Baustelle! Stadtbau-Simulator|baustelle|7015|Stadtbau
      Klugscheißer: Das Quiz|klugscheisser|7018|Quiz
    `),
  },
  {
    language: 'zh',
    makers: makers(`
      山楂糖工作室|Shanzhatang Studio Co., Ltd.|shanzhatang
      慢慢来科技|Manmanlai Technology Co., Ltd.|manmanlai
      小板凳互动|Xiaobandeng Interactive Co., Ltd.|xiaobandeng
    `),
    apps: apps(`
      铜板记账 - 轻松存钱|tongban-jizhang|6015|记账
      钱罐小猪：存钱计划|qianguan-xiaozhu|6015|存钱
      松鼠理财课堂|songshu-licai|6015|理财
      山楂消消乐|shanzha-xiaoxiao|7012|消除
      小镇包子铺|xiaozhen-baozipu|7015|模拟经营
      放置掌门人|fangzhi-zhangmen|7014|放置修仙
      成语连连看大会|chengyu-dahui|7019|成语
      听雨助眠|tingyu-zhumian|6013|助眠
      慢跑日记本|manpao-riji|6013|跑步
      胶片时光相机|jiaopian-shiguang|6008|复古相机
      板凳象棋|bandeng-xiangqi|7004|象棋
      背单词的猫|beidanci-de-mao|6017|背单词
    `),
  },
]
