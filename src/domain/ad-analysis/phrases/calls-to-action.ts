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

/** Button codes of Meta and TikTok, lower case with hyphens. */
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

/** The action of a button; undefined for an unknown code. */
export const actionOfCode = (code: string): Action | undefined => actionsByCode.get(code)

/** Korean requests by a noun: "확인해 보세요", "확인하러 가기", "지금 바로 확인". */
const korean = (nouns: string) =>
  unspaced(
    `(?:${nouns})(?:[을를]|하고|하여|해서)?\\s*(?:하러|해|받으|받아|받으러|하)?\\s*(?:보|가|가보|주|두)?(?:세요|십시오|시죠|봐요(?![가-힣])|기(?=\\s*(?:[^가-힣\\s]|$))|자(?![가-힣]))(?!\\s*[?？])|지금\\s*(?:바로\\s*)?(?:무료로?\\s*)?(?:${nouns})(?=\\s*(?:하|해|[^가-힣\\s]|$))`,
  )

/**
 * Requests in texts, the most specific first. English forms that are also nouns count only at the beginning of a sentence.
 */
export const callsToAction: readonly Phrase<Action>[] = [
  { kind: 'install', pattern: opening('install') },
  { kind: 'download', pattern: opening('download|get (?:the|our) (?:free )?app') },
  {
    kind: 'try',
    pattern: opening('try|test[- ]drive|give it a (?:try|go)|check (?:it|this|us) out|experience'),
  },
  {
    kind: 'start',
    pattern: opening(
      'start (?:your|now|today|free|for free|a|an|the|\\p{L}+ing)|get (?:started|yours|it now)|begin (?:your|now|today)',
    ),
  },
  { kind: 'play', pattern: opening('play') },
  {
    kind: 'sign-up',
    pattern: opening(
      'sign up|register|join|apply (?:now|today|for|here|online)|enroll?|rsvp|enter (?:now|today|to win|for|here|the)|(?:create|open) (?:your|an) account|become an?|donate',
    ),
  },
  { kind: 'subscribe', pattern: opening('subscribe') },
  {
    kind: 'buy',
    pattern: opening(
      'buy|shop|order|pre-?order|pick up|treat (?:yourself|your)|stock up|get (?:your )?tickets?',
    ),
  },
  {
    kind: 'claim',
    pattern: opening(
      'claim|redeem|grab|use (?:the |my |our |promo )?code|save (?:up to|now|today|big|on|\\d|[$€£])|unlock|get (?:your|a|an|the|my|early|access|exclusive|instant|up to|one|\\d+|[$€£]|free)|score|snag|collect',
    ),
  },
  {
    kind: 'learn',
    pattern: opening(
      'learn|find (?:out|your|the|a|an|more|inspiration|opportunities)|see (?:for yourself|how|more|why|what|which|the|our|all|if|your)|discover|read|explore|check out|browse|take a (?:look|tour)|look (?:at|inside)|meet (?:the|our|your|\\p{Lu})|hear (?:from|how|what|the|more)|view (?:the|our|all|more)|compare',
    ),
  },
  {
    kind: 'learn',
    pattern: words('(?:learn|read|find out|see|discover) more|full (?:story|article|details) (?:here|below)'),
  },
  {
    kind: 'watch',
    pattern: opening('watch|stream|listen|tune in(?:to)?|catch (?:the|it|all|every|up)|re-?watch|binge'),
  },
  {
    kind: 'watch',
    pattern: words(
      '(?:watch|stream|listen) (?:it |them )?(?:now|today|here|live|free)|start (?:streaming|watching|listening)',
    ),
  },
  {
    kind: 'book',
    pattern: opening(
      'book (?:now|your|a|an|online|today|with)|reserve|schedule (?:your|a|an)|plan your|save the date|mark your calendars?',
    ),
  },
  {
    kind: 'contact',
    pattern: opening(
      'contact (?:us|our|your|me)|contact ?(?:no\\.?|number)?(?= ?[#:] ?\\+?\\d)|call (?:us|now|today|me|\\+?\\d)|(?:text|email|message|dm) (?:us|me|our)|send us a message|talk (?:to|with)|speak (?:to|with)|chat with|reach out|ask (?:us|your|about)|write (?:to )?us',
    ),
  },
  {
    kind: 'tap',
    pattern: opening('tap|click|swipe up|visit|hit the link|go to|head (?:to|over)|follow the link|scan'),
  },
  {
    kind: 'tap',
    pattern: words(
      'link (?:is )?(?:below|in (?:the |my |our )?bio)|(?:tap|click) (?:the )?(?:link|here|below)|click for|more (?:at|here|below)(?= ?[:👉👇⬇]|$)',
    ),
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
  { kind: 'download', pattern: words('télécharge[zr]?|en téléchargeant') },
  { kind: 'try', pattern: words('essayez|essaie|testez') },
  {
    kind: 'start',
    pattern: words('commence[zr]? (?:maintenant|dès|gratuitement|aujourd|à|votre|ton)|lance[zr]?-(?:vous|toi)'),
  },
  {
    kind: 'play',
    pattern: words('joue[zr] (?:maintenant|gratuitement|à|avec|au|en)|tente[zr]? (?:votre|ta) chance'),
  },
  {
    kind: 'sign-up',
    pattern: words(
      "inscrivez-vous|inscris-toi|s[’']inscrire|rejoins|rejoignez|(?:crée[zr]?|ouvre[zr]?) (?:votre|ton|un) compte|participe[zr]?(?= (?:à|au|aux|et|vite|maintenant))|connectez-vous|deviens|devenez",
    ),
  },
  { kind: 'subscribe', pattern: words('abonnez-vous|abonne-toi') },
  { kind: 'buy', pattern: words('achetez|(?:pré-?)?commandez|offrez-vous') },
  {
    kind: 'buy',
    pattern: opening('(?:pré-?)?commande|achète|acheter|(?:pré-?)?commander|offre-toi|foncez|fonce'),
  },
  {
    kind: 'claim',
    pattern: words("profitez|obtenez|récupérez|bénéficiez|bénéficie (?:de|d[’'])|économisez|recevez"),
  },
  { kind: 'claim', pattern: opening('profiter?|obtiens|récupère|reçois') },
  {
    kind: 'learn',
    pattern: words("(?:en savoir|(?:pour )?en apprendre|voir) plus|découvrez|apprenez|plus d[’']infos?"),
  },
  {
    kind: 'learn',
    pattern: opening("découvre|découvrir|retrouve|trouve|apprends|vois|viens|(?:tout savoir|plus d[’']infos?)"),
  },
  {
    kind: 'watch',
    pattern: words(
      'regardez|visionnez|écoutez|(?:à )?(?:re)?voir en (?:replay|direct|streaming)|le direct(?= ?[:👇⤵])',
    ),
  },
  { kind: 'watch', pattern: opening('regarde|écoute') },
  { kind: 'book', pattern: words('réservez|prenez rendez-vous') },
  { kind: 'book', pattern: opening('réserve|réserver') },
  { kind: 'contact', pattern: words('contactez|appelez|écrivez-nous|envoyez-nous|demandez (?:un|votre)') },
  { kind: 'follow', pattern: words('suivez|suis-nous') },
  {
    kind: 'tap',
    pattern: words(
      "cliquez|clique (?:ici|sur)|rendez-vous (?:sur|chez|dans|en (?:magasin|agence)|ici)|rends-toi sur|(?:par ici|c[’']est ici|lien en bio|le lien)(?= ?[:👇⬇⤵👉]|$)",
    ),
  },

  { kind: 'install', pattern: opening('instal[ae](?:la)?') },
  {
    kind: 'download',
    pattern: words('descárg[au]e?l[oa]|descarg(?:a|ue) (?:ya|ahora|hoy|gratis|la|el|tu|nuestra)'),
  },
  { kind: 'download', pattern: opening('descarga|descargue') },
  { kind: 'try', pattern: words('pruébal[oa]|prueb[ae] (?:ya|ahora|hoy|gratis)') },
  { kind: 'try', pattern: opening('prueb[ae]|experiment[ae]|viv[ae] (?:la|una|el|tu)') },
  { kind: 'start', pattern: words('(?:empieza|empiece|comienza|comience) (?:ya|ahora|hoy|gratis|a|tu|su)') },
  { kind: 'play', pattern: words('juega (?:ya|ahora|hoy|gratis|a|con|y)') },
  {
    kind: 'sign-up',
    pattern: words(
      'regístr[ae]te|regístrese|únete|únase|inscríbete|inscríbase|hazte (?:miembro|socio)|solicit[ae] (?:tu|su|ya|ahora|aquí|una?|información)|postula|abre tu cuenta',
    ),
  },
  { kind: 'sign-up', pattern: opening('particip[ae]|solicit[ae]') },
  { kind: 'subscribe', pattern: words('suscríbete|suscríbase') },
  {
    kind: 'buy',
    pattern: words(
      'compr[ae] (?:ya|ahora|hoy|tu|su|más)|cómpr[ae]l[oa]|pide (?:ya|ahora|el|la|tu)|adquier[ea] (?:tu|su|el|la|ya)|llév[ae]te|llév[ae]l[oa]|encárgal[oa]|estrena',
    ),
  },
  {
    kind: 'buy',
    pattern: opening('compr[ae]|pide|pida|adquier[ea]|llev[ae]|equipa|financi[ae]|invierta|invierte'),
  },
  { kind: 'claim', pattern: words('aprovech[ae]|consig[ua]e?|consíguel[oa]|asegur[ae] (?:tu|su|el)|reclama') },
  { kind: 'claim', pattern: opening('obtén|obtenga|gana|canjea|disfrut[ae]|ahorr[ae]|recib[ae]') },
  { kind: 'learn', pattern: words('descubr[ea]|conoc[ea] más|conóce(?:l[oa]s?|nos)|infórmate') },
  {
    kind: 'learn',
    pattern: opening(
      'conoc[ea]|conozca|encuentr[ae]|encontral[aoe]s?|explor[ae]|mir[ae]|consult[ae]|ech[ae] un vistazo|elig[ea]|elija|ve|vea',
    ),
  },
  {
    kind: 'book',
    pattern: words(
      'reserv[ae] (?:tu|su|ya|ahora|hoy|aquí)|agend[ae] (?:tu|su|una|ya|hoy)|haz tu cita|aparta (?:tu|el|la|ya|con)|cotiz[ae]',
    ),
  },
  {
    kind: 'contact',
    pattern: words(
      'contáct[ae](?:nos|me|te)|llám[ae](?:nos|me)|escríbe(?:nos|me)|comuní[cq](?:ate|uese|arse)|envíanos|mánd[ae](?:nos|me)|ponte en contacto|habla con|comunicarse (?:al|con)|inf(?:o|orm[eo]s?)(?:rmaci[oó]n)? (?:al|por|en)|interesad[oa]s? (?:al|llamar|escribir|dm|inbox|comunicarse)|(?:solo )?llamadas|whats ?app(?:s|ea)?|w[sp]{2}p?|inbox|por (?:dm|mensaje)',
    ),
  },
  { kind: 'learn', pattern: words('(?:más|mayor) info(?:rmaci[oó]n)?') },
  {
    kind: 'tap',
    pattern: words(
      'haz cli[ck]|da cli[ck]|toca (?:aquí|el)|visít[ae](?:nos|l[oa])|visit[ae] (?:nuestr[oa]|la|el|www|https?)|ingres[ae] (?:a|en|aquí)|entr[ae] (?:a|en|aquí)|te esperamos|v(?:en|enga)(?: a | por |te )',
    ),
  },

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

  { kind: 'install', pattern: korean('설치') },
  { kind: 'download', pattern: korean('다운(?:로드)?|내려') },
  { kind: 'start', pattern: korean('시작|이어') },
  { kind: 'play', pattern: korean('플레이') },
  { kind: 'sign-up', pattern: korean('가입|신청|등록|참여|응모|지원|접수|출석') },
  { kind: 'sign-up', pattern: unspaced('사전\\s*(?:예약|등록)(?=\\s*(?:[!👉→]|$|하))') },
  { kind: 'subscribe', pattern: korean('구독') },
  { kind: 'buy', pattern: korean('구매|주문|쇼핑|결제|득템') },
  { kind: 'claim', pattern: korean('획득|수령|챙겨|챙기|누려|누리') },
  {
    kind: 'claim',
    pattern: unspaced('받(?:으러\\s*가|아\\s*(?:가|보))?(?:으)?(?:세요|십시오|기(?=\\s*(?:[^가-힣\\s]|$)))'),
  },
  { kind: 'learn', pattern: korean('확인|만나|알아|살펴|구경|체크|둘러|검색') },
  { kind: 'learn', pattern: unspaced('더\\s*알아보기|자세히\\s*(?:보기|알아)') },
  { kind: 'watch', pattern: korean('시청|감상|보러') },
  { kind: 'book', pattern: korean('(?<!사전\\s?)예약') },
  { kind: 'contact', pattern: korean('문의|상담|연락|전화') },
  { kind: 'contact', pattern: unspaced('문의\\s*(?:전화|처|부탁|환영|:|-)') },
  { kind: 'contact', pattern: unspaced('(?:DM|디엠|카톡|쪽지|메시지|문의|연락)(?:으로|로)?\\s*(?:주|보내)') },
  { kind: 'try', pattern: korean('체험|사용|써|이용|경험|느껴') },
  { kind: 'tap', pattern: korean('클릭|방문') },
  { kind: 'tap', pattern: unspaced('바로\\s*(?:가기|보기|구매하기|신청하기)') },
  { kind: 'tap', pattern: unspaced('프로필\\s*링크|링크\\s*(?:클릭|확인)') },
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
  { kind: 'follow', pattern: unspaced('フォローして|フォローお願い|팔로우\\s*(?:하|해|부탁)|关注我们|关注我') },
  {
    kind: 'comment',
    pattern: opening(
      'comment (?:your|below|what|where|which|who|if|any)|let (?:me|us) know|tell (?:me|us)|reply (?:with|to|below)|rate ',
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
    kind: 'comment',
    pattern: unspaced(
      '댓글(?:로|에|을)?[^.!?\n]{0,30}(?:주세요|남겨|남기|달아|알려|들려)|コメント(?:して|で教えて|お待ち)',
    ),
  },
  { kind: 'share', pattern: unspaced('공유s*(?:하|해)|리트윗|シェアして|リツイート') },
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
  { kind: 'buy', pattern: unspaced('(?:立即|马上|馬上)(?:抢购|下单|订购|下單)') },
  { kind: 'start', pattern: unspaced('(?:立即|马上|馬上|现在)(?:开始|開始)') },
]
