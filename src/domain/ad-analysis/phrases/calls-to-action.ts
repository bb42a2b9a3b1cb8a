import { opening, type Phrase, unspaced, words } from '../../../text/phrase.ts'

export type Action =
  | 'install'
  | 'download'
  | 'try'
  | 'start'
  | 'play'
  | 'sign-up'
  | 'subscribe'
  | 'buy'
  | 'claim'
  | 'learn'
  | 'watch'
  | 'book'
  | 'contact'
  | 'follow'
  | 'comment'
  | 'share'
  | 'tap'

export const actionStatements: Record<Action, string> = {
  install: 'Install the app.',
  download: 'Download it.',
  try: 'Try it.',
  start: 'Start now.',
  play: 'Play.',
  'sign-up': 'Sign up.',
  subscribe: 'Subscribe.',
  buy: 'Buy it.',
  claim: 'Claim the offer.',
  learn: 'Learn more.',
  watch: 'Watch.',
  book: 'Book.',
  contact: 'Get in touch.',
  follow: 'Follow the account.',
  comment: 'Comment.',
  share: 'Share it or tag somebody.',
  tap: 'Follow the link.',
}

/** Codes of buttons, lower case with hyphens, as Meta and TikTok have them. */
const codes: Record<Action, string> = {
  install: 'install-now install-app install-mobile-app use-app open-app get-app',
  download: 'download download-now',
  try: 'try-it try-now try-it-now test-drive experience-now',
  start: 'get-started start-now order-start',
  play: 'play-game play-now',
  'sign-up': 'sign-up register register-now join-now join apply-now apply',
  subscribe: 'subscribe subscribe-now',
  buy: 'shop-now shop buy buy-now order-now purchase get-tickets buy-tickets pre-order-now',
  claim: 'get-offer get-offer-view claim-offer get-deal get-coupon see-offers get-promotions',
  learn: 'learn-more see-more read-more view-details view-now discover-more get-details see-details',
  watch: 'watch-more watch-video watch-now listen-now listen-music',
  book: 'book-now book-travel book-test-drive reserve get-showtimes request-time',
  contact: 'contact-us contact call-now call send-message message-page whatsapp-message get-quote chat-now',
  follow: 'follow follow-page follow-user like-page subscribe-page',
  comment: 'comment',
  share: 'share',
  tap: 'open-link visit-website visit-site visit-store visit-profile go-to-profile interested',
}

const actionsByCode: ReadonlyMap<string, Action> = new Map(
  (Object.keys(codes) as Action[]).flatMap((action) =>
    codes[action].split(' ').map((code) => [code, action] as const),
  ),
)

/** What a button asks for; undefined for a code the table does not know. */
export const actionOfCode = (code: string): Action | undefined => actionsByCode.get(code)

/** Requests in texts, the most telling first. English forms that are also nouns count only where a sentence begins. */
export const callsToAction: readonly Phrase<Action>[] = [
  { kind: 'install', pattern: opening('install') },
  { kind: 'download', pattern: opening('download|get (?:the|our) (?:free )?app') },
  { kind: 'try', pattern: opening('try|give it a (?:try|go)|check (?:it|this|us) out') },
  {
    kind: 'start',
    pattern: opening(
      'start (?:your|now|today|free|for free|a)|get (?:started|yours|it now)|begin (?:your|now|today)',
    ),
  },
  { kind: 'play', pattern: opening('play') },
  { kind: 'sign-up', pattern: opening('sign up|register|join|apply now|create (?:your|an) account') },
  { kind: 'subscribe', pattern: opening('subscribe') },
  { kind: 'buy', pattern: opening('buy|shop|order|pre-?order') },
  { kind: 'claim', pattern: opening('claim|redeem|grab|use (?:the )?code') },
  {
    kind: 'learn',
    pattern: opening(
      'learn more|find out (?:more|how|why)|see (?:for yourself|how|more|why)|discover|read more',
    ),
  },
  { kind: 'watch', pattern: opening('watch') },
  { kind: 'book', pattern: opening('book (?:now|your|a)|reserve') },
  { kind: 'contact', pattern: opening('contact us|call us|message us|send us a message') },
  { kind: 'tap', pattern: opening('tap|click|swipe up|visit|hit the link') },
  {
    kind: 'tap',
    pattern: words('link (?:is )?(?:below|in (?:the |my |our )?bio)|tap the link|click the link'),
  },

  { kind: 'install', pattern: words('installiere[n]?(?: sie)?|jetzt(?: [^.!?]{1,60})? installieren') },
  {
    kind: 'download',
    pattern: words(
      'lad(?:e|en sie)?(?: dir)? [^.!?]{1,60}? (?:herunter|runter)|hol(?:e|en sie)? (?:dir|sich)|jetzt(?: [^.!?]{1,60})? (?:herunter|runter)?laden',
    ),
  },
  {
    kind: 'try',
    pattern: words(
      'probier(?:e|en sie)?|teste(?:n sie)?|jetzt(?: [^.!?]{1,60})? (?:testen|ausprobieren|probieren)|kostenlos testen',
    ),
  },
  {
    kind: 'start',
    pattern: words(
      'jetzt(?: [^.!?]{1,60})? (?:starten|beginnen|loslegen)|starte(?:n sie)? (?:jetzt|heute|noch heute|deine?n?)|leg(?:e)? los',
    ),
  },
  {
    kind: 'play',
    pattern: words('spiel(?:e|en sie)? (?:jetzt|mit|kostenlos)|jetzt(?: [^.!?]{1,60})? spielen'),
  },
  {
    kind: 'sign-up',
    pattern: words(
      'melde dich(?: [^.!?]{1,30})? an|melden sie sich(?: [^.!?]{1,30})? an|registriere dich|jetzt(?: [^.!?]{1,60})? (?:anmelden|registrieren)',
    ),
  },
  {
    kind: 'buy',
    pattern: words(
      'jetzt(?: [^.!?]{1,60})? (?:kaufen|bestellen|shoppen)|bestell(?:e|en sie)? (?:jetzt|dein|deine)',
    ),
  },
  { kind: 'claim', pattern: words('jetzt(?: [^.!?]{1,60})? sichern|sicher(?:e|n sie)? (?:dir|sich)') },
  {
    kind: 'learn',
    pattern: words('mehr erfahren|erfahre mehr|entdecke(?:n sie)?|jetzt(?: [^.!?]{1,60})? entdecken'),
  },
  { kind: 'tap', pattern: words('klick(?:e|en sie)?(?: [^.!?]{1,30})? (?:hier|link)|tipp(?:e|en sie)? auf') },

  { kind: 'install', pattern: words('installe[zr]?(?=\\s)') },
  { kind: 'download', pattern: words('télécharge[zr]?') },
  { kind: 'try', pattern: words('essaye[zr]|essaie|essayez-la|teste[zr] (?:gratuitement|maintenant)') },
  { kind: 'start', pattern: words('commence[zr]? (?:maintenant|dès|gratuitement|aujourd)|lancez-vous') },
  { kind: 'play', pattern: words('joue[zr] (?:maintenant|gratuitement|à)') },
  {
    kind: 'sign-up',
    pattern: words('inscrivez-vous|inscris-toi|rejoins|rejoignez|crée[zr] (?:votre|ton|un) compte'),
  },
  { kind: 'subscribe', pattern: words('abonnez-vous|abonne-toi') },
  { kind: 'buy', pattern: words('achetez|commandez') },
  { kind: 'claim', pattern: words('profite[zr]? (?:de|en|maintenant|dès)|obtenez') },
  { kind: 'learn', pattern: words('en savoir plus|découvre[zr]?|découvrez') },
  { kind: 'tap', pattern: words('cliquez|clique (?:ici|sur)') },

  { kind: 'install', pattern: opening('instala(?:la)?') },
  { kind: 'download', pattern: words('descárgal[oa]|descarga (?:ya|ahora|hoy|gratis|la app|la aplicación)') },
  { kind: 'download', pattern: opening('descarga|descargue') },
  { kind: 'try', pattern: words('pruébal[oa]|prueba (?:ya|ahora|hoy|gratis)') },
  { kind: 'start', pattern: words('(?:empieza|comienza) (?:ya|ahora|hoy|gratis)') },
  { kind: 'play', pattern: words('juega (?:ya|ahora|hoy|gratis)') },
  { kind: 'sign-up', pattern: words('regístrate|únete|inscríbete') },
  { kind: 'subscribe', pattern: words('suscríbete') },
  { kind: 'buy', pattern: words('compra (?:ya|ahora|hoy|online)|cómpral[oa]|pide (?:ya|ahora)') },
  { kind: 'claim', pattern: words('aprovecha|consigue|consíguel[oa]') },
  { kind: 'learn', pattern: words('más información|descubre|conoce más') },
  { kind: 'tap', pattern: words('haz clic|toca (?:aquí|el)') },

  { kind: 'install', pattern: words('instale (?:já|agora|o|grátis)') },
  { kind: 'download', pattern: words('baixe|baixa (?:já|agora)|descarregue') },
  { kind: 'try', pattern: words('experimente|teste (?:grátis|agora|já)') },
  { kind: 'start', pattern: words('comece (?:já|agora|hoje|grátis|a)') },
  { kind: 'play', pattern: words('jogue (?:já|agora|grátis)') },
  { kind: 'sign-up', pattern: words('cadastre-se|inscreva-se|registe-se|junte-se') },
  { kind: 'subscribe', pattern: words('assine(?: já| agora)?') },
  { kind: 'buy', pattern: words('compre(?: já| agora)?|peça (?:já|agora)') },
  { kind: 'claim', pattern: words('aproveite|garanta') },
  { kind: 'learn', pattern: words('saiba mais|descubra|conheça') },
  { kind: 'tap', pattern: words('clique (?:aqui|no|em)|toque (?:aqui|no)') },

  { kind: 'install', pattern: opening('installa(?:la)?') },
  { kind: 'download', pattern: words("scarica(?:la|lo)?(?: (?:ora|subito|gratis|l[’']app))?|scaricate") },
  { kind: 'try', pattern: words('provala|provalo|prova (?:ora|subito|gratis|gratuitamente)') },
  { kind: 'start', pattern: words('inizia (?:ora|subito|oggi|gratis)') },
  { kind: 'play', pattern: words('gioca (?:ora|subito|gratis)') },
  { kind: 'sign-up', pattern: words('iscriviti|registrati|unisciti') },
  { kind: 'subscribe', pattern: words('abbonati') },
  { kind: 'buy', pattern: words('acquista|ordina (?:ora|subito)|compra (?:ora|subito)') },
  { kind: 'claim', pattern: words('approfitta(?:ne)?') },
  { kind: 'learn', pattern: words('scopri|per saperne di più') },
  { kind: 'tap', pattern: words('clicca|tocca (?:qui|il)') },

  { kind: 'download', pattern: words('download (?:nu|de app)') },
  { kind: 'try', pattern: words('probeer(?: het)?(?: nu| gratis)') },
  { kind: 'sign-up', pattern: words('meld je(?: nu)? aan|schrijf je in') },
  { kind: 'buy', pattern: words('bestel nu|koop nu') },
  { kind: 'learn', pattern: words('meer informatie|ontdek') },

  { kind: 'install', pattern: unspaced('インストール(?:しよう|して|を|はこちら|$|[。！!])') },
  { kind: 'download', pattern: unspaced('ダウンロード(?:しよう|して|を|はこちら|$|[。！!])|ダウンロード$') },
  { kind: 'try', pattern: unspaced('試して(?:み|くだ)|お試しください|試そう|体験しよう') },
  { kind: 'start', pattern: unspaced('今すぐ(?:始|はじ)め|(?:始|はじ)めよう|(?:始|はじ)めてみ') },
  { kind: 'play', pattern: unspaced('(?:今すぐ)?(?:遊ぼう|遊んで(?:み|くだ)|プレイしよう|今すぐプレイ)') },
  { kind: 'sign-up', pattern: unspaced('(?:今すぐ|無料)(?:会員)?登録|登録(?:しよう|はこちら|してください)') },
  { kind: 'buy', pattern: unspaced('今すぐ(?:購入|買)|ご注文(?:ください|はこちら)|ご購入はこちら') },
  { kind: 'claim', pattern: unspaced('ゲットしよう|手に入れよう|受け取ろう|今すぐゲット') },
  {
    kind: 'learn',
    pattern: unspaced('詳しくは(?:こちら|プロフィール)|詳細はこちら|チェックして|チェックしよう|もっと見る'),
  },
  { kind: 'tap', pattern: unspaced('タップして|クリックして|リンクから') },

  { kind: 'download', pattern: unspaced('지금\\s*다운로드|다운로드\\s*하세요|다운받으세요') },
  { kind: 'start', pattern: unspaced('지금\\s*시작|시작하세요|시작해\\s*보세요') },
  { kind: 'try', pattern: unspaced('체험해\\s*보세요|사용해\\s*보세요') },
  { kind: 'learn', pattern: unspaced('더\\s*알아보기|자세히\\s*보기') },
  { kind: 'download', pattern: unspaced('(?:立即|马上|馬上|现在就|免费|免費)(?:下载|下載)') },
  { kind: 'try', pattern: unspaced('(?:立即|马上|馬上|免费|免費)(?:试用|試用|体验|體驗|试玩|試玩)') },
  { kind: 'sign-up', pattern: unspaced('(?:立即|马上|馬上|免费|免費)(?:注册|註冊|加入)') },
  { kind: 'buy', pattern: unspaced('(?:立即|马上|馬上)(?:购买|購買|选购|選購)') },
  { kind: 'learn', pattern: unspaced('了解更多|瞭解更多') },

  {
    kind: 'download',
    pattern: words('скача(?:йте|й)|загрузи(?:те)?(?= приложение)|установи(?:те)?(?= приложение)'),
  },
  { kind: 'try', pattern: words('попробу(?:йте|й)|протестиру(?:йте|й)') },
  { kind: 'start', pattern: words('начн(?:ите|и) (?:сейчас|сегодня|бесплатно|прямо)|начинай(?:те)?') },
  { kind: 'play', pattern: words('(?:с)?играй(?:те)?(?= (?:сейчас|бесплатно|в))') },
  {
    kind: 'sign-up',
    pattern: words('зарегистрируй(?:ся|тесь)|регистрируй(?:ся|тесь)|присоединя(?:йся|йтесь)'),
  },
  { kind: 'buy', pattern: words('купи(?:те)?(?= (?:сейчас|сегодня|онлайн))|закажи(?:те)?|заказывай(?:те)?') },
  { kind: 'claim', pattern: words('воспользуй(?:ся|тесь)|получи(?:те)?(?= (?:скидку|подарок|доступ|бонус))') },
  { kind: 'learn', pattern: words('узнай(?:те)? (?:больше|подробнее|как)|подробнее') },
  { kind: 'tap', pattern: words('нажми(?:те)?|перейди(?:те)? по ссылке|ссылка в (?:био|профиле|шапке)') },

  {
    kind: 'follow',
    pattern: opening("follow (?:me|us|for|along|my|our|@)|like and follow|don[’']t forget to follow"),
  },
  {
    kind: 'follow',
    pattern: words(
      'follow (?:me|us) (?:on|at)|folg(?:e|t) (?:mir|uns)|volg (?:me|ons|mij)|suivez-(?:moi|nous)|abonne-toi à|s[ií]gu[ea](?:me|nos)|síguenos|sígueme|sigam?(?:-me| a gente)|seguici|seguimi|подпи(?:шись|шитесь|сывайтесь|сывайся)',
    ),
  },
  { kind: 'follow', pattern: unspaced('フォローして|フォローお願い|팔로우\\s*(?:해|하세요)|关注我们|关注我') },
  {
    kind: 'comment',
    pattern: opening(
      'comment (?:your|below|what|where|which|who|if|any)|let (?:me|us) know|tell (?:me|us)|rate ',
    ),
  },
  {
    kind: 'comment',
    pattern: words(
      '(?:in|leave a|drop a|write a) (?:the )?comments?(?: section)?(?: below)?|comment below|in die kommentare|schreib[^.!?]{1,30} kommentare?|laat [^.!?]{1,30} weten|en commentaires?|coment(?:a|e|en|ad|ami) (?:abajo|aqui|aquí|qué|o que|qual)|nei commenti|nos comentários|en los comentarios|в комментари\\p{L}+',
    ),
  },
  {
    kind: 'share',
    pattern: opening(
      'share (?:this|your|it|with)|tag (?:your|a|an|someone|somebody|je|een|de|die|deinen?|iemand)|send this to|compart[ea] (?:con|esto|este|este|com|isso)|hazlo viral|partage[zr]? (?:avec|cette|ce)|condividi (?:con|questo)|teile? (?:das|dies|es) mit|markiere? ',
    ),
  },
  {
    kind: 'share',
    pattern: words('tag your \\p{L}+ (?:friends?|mates?)|duet this|hazlo viral|поделись|поделитесь'),
  },

  {
    kind: 'watch',
    pattern: words(
      'watch till|kijk (?:nu|snel|op|verder)|bekijk (?:de|het|onze)|schau (?:dir|jetzt)|regarde[zr]? (?:la|le|jusqu|maintenant)|mira (?:el|la|hasta)|veja (?:o|a|até)|guarda (?:il|la|fino)|смотри(?:те)? (?:до|видео|в)',
    ),
  },
  {
    kind: 'download',
    pattern: words(
      'download (?:the |our |it |de )?(?:app|now|today|for free|it)|lade[nt]?(?: [^.!?]{1,40})? (?:herunter|runter)',
    ),
  },
  { kind: 'buy', pattern: unspaced('지금\\s*구매|구매하세요|(?:立即|马上|马上|馬上)(?:抢购|下单|订购|下單)') },
  { kind: 'start', pattern: unspaced('(?:立即|马上|馬上|现在)(?:开始|開始)') },
]
