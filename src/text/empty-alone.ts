import { fold } from './search-terms.ts'

/** Names of whole categories of apps, always too general; Apple advises against names of categories. */
const kindsOfApps = new Set(
  'game games gaming online offline ゲーム 游戏 遊戲 게임 jeu jeux spiel spiele juego juegos gioco giochi jogo jogos игра игры'.split(
    ' ',
  ),
)

/**
 * Words that are frequent in listings of all categories and rare in names, in the languages of most listings: nobody
 * searches for an app by them alone, though phrases may contain them ("stay organized", "next level"). Where several apps of
 * a kind have such a word in their names, it describes what they are about ("level", "clear").
 */
const emptyWords: ReadonlySet<string> = new Set(
  `will use uses used using one just find own even experience experiences unique different create created creating touch choose
   share sharing see need needs needed want save saved saves mode modes tap level levels unlock device devices around high love loved explore back
   keep support supports supported special control add adds added adding become set sets access play playing try tried trying show shows shown
   original big without please check look looks looking style across multiple ready us turn turns take takes taking view views
   viewing content track system may give gives long place good customize customized customizable single move moving moves bring brings
   change changes changing phone smartphone tablet anywhere anytime information info made make makes making allows allow allowing quality pick
   interactive put hours hour along select selected speed upgrade follow following stop stay start started variety win winning hand hands work
   working works center feel progress choice character three additional order again hundreds tons connect connected lets let setting settings
   various tool tools intuitive offer offers sure interface global does within fully directly direct important whether
   whole thing things automatic automatically button part possible go goes going come comes coming far hard think why technology extra option options optional
   pay wait waiting advanced manage management welcome left provide provides providing complete completely completed required require requires detailed detail details able
   enter entry last yet others type types display displayed finger fingertips future avoid end ends winner improve improved ways compatible
   background seen main leading behind receive received professional side ability switch gives faster entire enough incredible
   famous range say saying inside miss missing happy gain drag hold kind already visual visually getting get gets performance highly minutes minute seconds second
   addition soon thanks thank past innovative visit press found finding finds developed developer developers engine form point points instant instantly tell
   continue above zoom short total sign done rest apply applied growing throughout click leave straight specific moment moments several biggest largest
   large small near parts basic basics paid page pages interesting enhance matter personalized personalize clean less non copy export import field function functions functionality
   recommend recommended recommendation recommendations useful standard understand individual actually contact means ad ads international limit limits limited integration
   integrated worth either everyday daily among charge profile common essential comprehensive handy currently current below doing convenient convenience
   wish combines active result results late immediately deliver position source glance link present specifically easiest instead turning often keeping
   ensure description probably constantly benefits rating ratings public helpful suggestions suggestion regularly stored extensive exact accurate accuracy usage
   actual scroll opening based basis simplified submit visible organized organised effortless effortlessly seamless seamlessly reliable efficient
   efficiently popular trusted edition mini clear clearly smart participants thoughts conversations inspiration
   effort number numbers name names person persons item items object stuff everyone lot bit side note reason reasons member members customer customers client clients
   company companies brand brands publisher award awards review reviews rate press team story real true full open close write read hear said known know theme themes filter filters
   predict continue mobile desktop digital original dynamic universal platform platforms section sections category categories topic topics database data conditions infinite defined products product buy weekly monthly players player earn drop home motivated guides guide plans plan spots spot pounds lose
   application applications appli connexion permet permettent accès officielle officiel informations information mieux également rapidement etc autres autre directement mots
   possibilité page accueil suivi autour moment aussi ligne dont quotidien réel dernières derniers dernière dernier consulter service services préférées préférés expérience entre selon adresse
   qualité haut compatible clients client offre offres utilisation vie pratique appareil aucune quelques plaisir régulièrement recevoir mise continu recommandations abonnés
   besoin choix façon partie suivant toujours partout grand grande petit petite bon bien premier première artistes
   bietet aktuelle aktuellen aktueller aktuelles direkt überblick sofort komplett lassen highlights enthält besseren jederzeit überall welt übersichtlich persönlichen informationen möglichkeit
   möglichkeiten innerhalb sehen nutzen nutzer artikel inhalte anwendung bereich bereiche verfügbar verschiedene verschiedenen große großen kleine gut bequem immer alle alles wichtigsten
   einstellungen version auswahl angebot angebote stunden minuten seite seiten
   aplicación información toda todo tu tus mira ahora mejor siempre cualquier forma manera gran además puedes podrás hacer tener vida mundo acceso contenido contenidos opción opciones ver versión
   informazioni sempre modo maniera puoi mondo contenuti versione tua tuoi nostra app accesso vita
   você seu sua seus suas sempre mundo conteúdo versão informações acesso vida forma maneira
   タップ 時間 以上 しよう 登場 場合 好き 世界 自分 操作 選択 特徴 表示 確認 使用 全て 追加 気軽 検索 完全 ボタン 購入 方法 友達 獲得 端末 新しい すぐ すべて 以降 一部 搭載 用意 内容
   サポート チェック 自動 サービス 一切 収録 データ お知らせ 推奨 ごと 問い合わせ 入力 お気に入り 配信 お願い キャラクター アップ モード 投稿 様々 機種 場所 みんな 全部 有料
   更新 メニュー 一緒 下記 説明 サイト 突破 変更 楽しみ 移動 シンプル 話題 コンテンツ 注意 掲載 環境 限定 状況 以外 対象 オリジナル 感覚 新感覚 爽快感 安心 起動 動作 システム 発生 以下 基本
   現在 不要 インストール 開始 価格 予定 いつでも よく 専用 課金 自由 仲間 手軽 スマート 閲覧 結果 どんどん 通信 条件 何度 一度 使い方 目的 付き 多数 注意事項 早く 良く 不具合 会員 拡大 状態 累計
   制限 プレゼント 保存 一覧 連携 もっと 満載 サクサク 良い 多く イベント 管理 関係 大好き 履歴 必ず 開発 位置 是非 しっかり 盛りだくさん 発見 削除 リスト リアルタイム お客様 ログイン
   提案 発動 作品 彼ら 彼女 毎週 毎月 本格 本格的 多彩 全国 応援 ストーリー バトル クエスト ユーザー ユーザ プレミアム
   联系 可以 特色 服务 生活 打造 世界 推荐 自己 内容 一起 一个 丰富 选择 客服 通过 使用 享受 所有 系统 操作 方式 任何 应用 一款 时间 信息 活动 各种 开启 这里 分享 自由 实时 简单 方便
   快速 多种 福利 每天 真实 模式 智能 更新 反馈 加入 获得 互动 欢迎 发现 如果 关注 同时 问题 喜欢 进行 客户 全面 升级 搜索 交流 每日 超过 成为 优质 满足 全国 伙伴 记录 场景 登录 便捷 找到
   自动 强大 同步 覆盖 查询 不停 乐趣 保障 不同 一样 其他 管理 注册 设计 快捷 公司 简介 团队 建议 掌握 带来 以及 品质 专属 什么 需求 网络 动态 精选 直接 有趣 完成 精准 查看 流畅
   技术 独家 评价 惊喜 意见 超级 不再 定制 帮助 贴心 放心 好玩 提升 千万 感受 介绍 身边 会员 空间 现在 天下 极致 解决 开始 参与 众多 背景 热点 多个 上线 达人 获取 真正 特点 个性 完全 版本
   知道 需要 资源 快乐 账号 不断 了解 想要 效果 各类 设置 媒体 等待 互联网 合作 传统 百万 离线 很多 一切 精美 错过 随心 个性化 担心 推出 属于 呈现 人民 评论 添加 从此 知名 中心 创新 游戏特色
   正版 高清 欢乐 热血 专业版 圈子 周年 电子 温馨提示 持续使用 战斗 火爆 唯美 震撼 全球 国民 首款 最强 玩家 玩法 更有 多样 角色 欢乐 浏览 购买 助手`
    .split(/\s+/)
    .map(fold),
)

/**
 * Whether a word alone says nothing about what an app is for.
 * @param isCalled whether enough apps of the kind have it in their names
 */
export const isEmptyAlone = (word: string, isCalled: boolean): boolean =>
  kindsOfApps.has(word) || (!isCalled && emptyWords.has(word))
