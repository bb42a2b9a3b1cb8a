import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stemmedMatchesOf } from '../src/text/stemmed-match.ts'

/** Singular and plural of what names of apps are made of, by storefront. */
const one: Record<string, string> = {
  tr: `oyun oyunlar, oyun oyunları, kitap kitaplar, haber haberler, resim resimler, resim resimleri, fotoğraf fotoğraflar, araba
    arabalar, harita haritalar, çocuk çocuklar, çocuk çocukları, kadın kadınlar, tarif tarifler, tarif tarifleri, kelime
    kelimeler, ev evler, not notlar, film filmler, şarkı şarkılar, müzik müzikler, maç maçlar, otel oteller, uçak uçaklar, kart
    kartlar, günlük günlükler, hesap hesaplar, para paralar, arkadaş arkadaşlar, dil diller, ders dersler, sınav sınavlar, soru
    sorular, test testler, hayvan hayvanlar, kedi kediler, köpek köpekler, mesaj mesajlar, dosya dosyalar, video videolar,
    alışveriş alışverişler, yemek yemekler, hikaye hikayeler, masal masallar, bulmaca bulmacalar, ilan ilanlar, ilan ilanları, iş
    işler, gün günler, saat saatler, takvim takvimler, burç burçlar, ezan ezanlar, dua dualar, sure sureler, spor sporlar, takım
    takımlar, yarış yarışlar, yarış yarışı, savaş savaşlar, kupon kuponlar, fırsat fırsatlar, indirim indirimler, çizgi çizgiler,
    renk renkler, duvar duvarlar, kağıt kağıtlar, zil ziller, ses sesler, harf harfler, sayı sayılar, bebek bebekler, anne
    anneler, oyun oyunu, harita haritası, dergi dergisi, kitap kitabı, ilan ilanı, kart kartı, tarif tarifi, kelime kelimesi,
    kelime kelimeleri, film filmi, film filmleri, şarkı şarkısı, şarkı şarkıları, burç burcu, haber haberi, market marketi,
    takvim takvimi, hesap hesabı, banka bankası, sözlük sözlüğü, günlük günlüğü`,
  br: `jogo jogos, foto fotos, carro carros, animal animais, avião aviões, cartão cartões, coração corações, viagem viagens, papel
    papéis, imagem imagens, receita receitas, livro livros, criança crianças, mulher mulheres, flor flores, cor cores, lugar
    lugares, cão cães, pão pães, mão mãos, música músicas, canção canções, notícia notícias, filme filmes, hotel hotéis, jornal
    jornais, jogador jogadores, tradutor tradutores, leitor leitores, mensagem mensagens, nuvem nuvens, homem homens, jovem
    jovens, exame exames, prova provas, oração orações, lição lições, refeição refeições, treino treinos, exercício exercícios,
    calendário calendários, hospital hospitais, canal canais, sinal sinais, móvel móveis, aluguel aluguéis, imóvel imóveis,
    automóvel automóveis, leilão leilões, caminhão caminhões, estação estações, ação ações, promoção promoções, cupom cupons, som
    sons, batom batons, emprego empregos, vaga vagas, conta contas, banco bancos, cidade cidades, nome nomes, país países, mês
    meses, cruz cruzes, juiz juízes, local locais, legal legais, infantil infantis, fácil fáceis, ônibus ônibus, bebê bebês,
    palavra palavras, mapa mapas, loja lojas, portal portais, papagaio papagaios, edital editais, questão questões, redação
    redações, adesivo adesivos, figurinha figurinhas, imóvel imoveis, promoção promocoes, herói heróis, português portugueses,
    inglês ingleses, ator atores, luz luzes, pdf pdfs, scanner scanners, jardim jardins, fórum fóruns, score scores, coupon
    coupons, picture pictures, plan plans, team teams`,
  hu: `játék játékok, kép képek, térkép térképek, hír hírek, könyv könyvek, szó szavak, szín színek, autó autók, recept receptek,
    étel ételek, zene zenék, dal dalok, film filmek, nő nők, férfi férfiak, gyerek gyerekek, barát barátok, kutya kutyák, macska
    macskák, állat állatok, ház házak, lakás lakások, állás állások, munka munkák, bank bankok, pénz pénzek, kártya kártyák,
    naptár naptárak, óra órák, ébresztő ébresztők, jegyzet jegyzetek, vizsga vizsgák, kérdés kérdések, nyelv nyelvek, szótár
    szótárak, iskola iskolák, tanuló tanulók, bolt boltok, akció akciók, kupon kuponok, újság újságok, mese mesék, vers versek,
    edzés edzések, gyakorlat gyakorlatok, meccs meccsek, csapat csapatok, verseny versenyek, harc harcok, háború háborúk, hős
    hősök, sárkány sárkányok, betű betűk, szám számok, rejtvény rejtvények, kirakó kirakók, fotó fotók, videó videók, üzenet
    üzenetek, háttér hátterek, háttérkép háttérképek, hang hangok, csengőhang csengőhangok, menetrend menetrendek, vonat vonatok,
    busz buszok, repülő repülők, szálloda szállodák, utazás utazások, étterem éttermek, cipő cipők, book books, score scores,
    plan plans`,
  sa: `سيارة سيارات, كلمة كلمات, لعبة لعبات, صورة صور, رسالة رسائل, كتاب كتب, لعبة ألعاب, خبر أخبار, أغنية أغاني, صديق أصدقاء, طفل
    أطفال, بنت بنات, مباراة مباريات, وظيفة وظائف, وصفة وصفات, شاشة شاشات, ملصق ملصقات, بطاقة بطاقات, معلومة معلومات, لغة لغات,
    مكالمة مكالمات, رحلة رحلات, طلب طلبات, حيوان حيوانات, مسلسل مسلسلات, فيديو فيديوهات, خلفية خلفيات, نغمة نغمات, رنة رنات,
    تطبيق تطبيقات, اختبار اختبارات, امتحان امتحانات, حساب حسابات, كتاب الكتاب, لعبة اللعبة, لعبة اللعبه, صلاة الصلاة, صلاة صلوات,
    آية آيات, محادثة محادثات, دردشة الدردشة, مسلم مسلمين, مسلم المسلم, مسلم مسلمون, مهندس مهندسين, مترجم المترجم, قرآن القرآن,
    طقس الطقس, سورة سور, فندق فنادق, مطعم مطاعم, سوق أسواق, عقار عقارات, خدمة خدمات, شركة شركات, حلقة حلقات, رواية روايات, قصة
    قصص, نكتة نكت, لغز ألغاز, رياضة الرياضة, تمرين تمارين, كاميرا كاميرات, ملف ملفات, صوت أصوات`,
}

/** The same in the scripts of India, as they are written there, and of Pakistan. */
Object.assign(one, {
  in: `खबर खबरें, खबर ख़बरें, कहानी कहानियाँ, कहानी कहानियां, भजन भजनों, समाचार समाचारों, किताब किताबें, खेल खेलों, लड़का लड़के, नौकरी
    नौकरियां, सवाल सवालों, कविता कविताएं, शायरी शायरियां, दवा दवाएं, गीत गीतों, शब्द शब्दों, बच्चा बच्चे, परीक्षा परीक्षाएं, मंत्र मंत्रों,
    गाना गाने, செய்தி செய்திகள், பாடல் பாடல்கள், கதை கதைகள், படம் படங்கள், விளையாட்டு விளையாட்டுகள், புத்தகம் புத்தகங்கள், சொல் சொற்கள்,
    மொழி மொழிகள், பூ பூக்கள், நாள் நாட்கள், పాట పాటలు, వార్త వార్తలు, పుస్తకం పుస్తకాలు, సినిమా సినిమాలు, కథ కథలు, యాప్ యాప్\u200cలు, ఆట ఆటలు,
    ఫోటో ఫోటోలు, ಹಾಡು ಹಾಡುಗಳು, ಆಟ ಆಟಗಳು, ಕಥೆ ಕಥೆಗಳು, ಪುಸ್ತಕ ಪುಸ್ತಕಗಳು, ಪಾಡ್ ಪಾಡ್\u200cಗಳು, പുസ്തകം പുസ്തകങ്ങൾ, വാർത്ത വാർത്തകൾ, കഥ കഥകൾ,
    പാട്ട് പാട്ടുകൾ, ഫയൽ ഫയലുകൾ, വാര്\u200dത്ത വാർത്തകള്\u200d, ছবি ছবিগুলি, গান গানগুলো, ગીત ગીતો, વાર્તા વાર્તાઓ, રમત રમતો, પુસ્તક પુસ્તકો, ਖੇਡ
    ਖੇਡਾਂ, ਖ਼ਬਰ ਖਬਰਾਂ, ਕਹਾਣੀ ਕਹਾਣੀਆਂ, ਗੀਤ ਗੀਤਾਂ, ଫାଇଲ୍ ଫାଇଲ୍ଗୁଡ଼ିକ, ଆପ୍ ଆପ୍\u200cଗୁଡ଼ିକ`,
  pk: 'خبر خبریں, کتاب کتابیں, کہانی کہانیاں, لوگ لوگوں, کتاب كتابوں, تصویر تصویریں, نماز نمازیں, نظم نظمیں, لطیفہ لطيفه',
})

/** Words that look alike and are about something else. */
const two: Record<string, string> = {
  tr: `oyun oy, para pazar, kart kar, saat saç, dolar dol, kalem kale, kitap kit, harita har, yemek yem, bebek beb, masa masal, bal
    balık, kal kalem, at ata, iş işaret, gün güneş, ay ayak, ay ayna, baş başka, el elma, el elbise, göz gözlük, yol yolcu, su
    sucuk, yüz yüzük, kız kızak, ders derslik, haber habercilik, duvar duva, numara numan, araba arap, tavla tavuk, okul okur,
    ses sese, kadın kadı, altın alt, sayı say, bilet bil, kedi ked, dere ders, çizgi çiz, resim res, film fil, evlilik ev, hayvan
    hayat, sigara sigorta, para paralel, oyuncak oyun, oyuncu oyun, kiralık kira, kahve kahvaltı, namaz nama, bahis bahçe, kumar
    kumaş`,
  br: `foto fotógrafo, jogo jogador, carro carta, casa casal, casa casamento, mar marca, cor corda, por porto, mãe mês, conta
    contador, sol solo, pão pano, mão mamão, porto porta, livro livre, vida vídeo, avião ave, cartão carta, cara carona, moto
    motor, som soma, país paisagem, canal canela, legal legenda, nome nomear, prova provador, lugar luga, natal nata, animal
    animação, real rei, papel papai, festa festival, capital capa, local loca, jornal jornada, hospital hóspede, mês mesa, cruz
    cru, flor floresta, estação estado, ação aço, lição lixo, mil milhão`,
  hu: `játék játszma, kép képzés, hír híres, szó szoba, nő nőgyógyász, óra orvos, vár város, ár áru, tan tanár, hal hala, ház hazai,
    bank bankár, kar karóra, kor korona, sport sportoló, vers verseny, dal dalmata, szám számla, szám számológép, tér térkép, nap
    naptár, vonat vonal, busz buszmegálló, kert kertész, mese mester, pont ponty, test testvér, autó automata, kapu kap, halál
    hal, cica cici, ital italia, étel étterem, csapat csap, harc harcsa, hős hőség, kutya kút, barát barack`,
  sa: `كتاب كاتب, مكتب كتاب, سيارة سير, كلمة كلام, صورة صوت, لعبة لعاب, طفل طفيلي, صلاة صلصة, قلم قلب, بيت بيتزا, مال مالك, حساب
    حسام, سوق سوداء, بنك بنت, عمل عمر, خبر خبز, حب حبوب, سفر سفير, مدرسة مدرب, جريدة جراد, ساعة سعادة, رحلة رجل, بطاقة بطل, ورق
    ورد, نغمة نعمة, لغة لعبة, كرة كرسي, وقت قوت`,
}

Object.assign(two, {
  in: `राशि राशिफल, रेल रेलवे, गाना गीत, चाल चालीसा, बात बातचीत, कर कार, दिन दीन, फल फूल, படம் பாடம், கதை கடை, நாள் நாய், பால்
    பாடல், పాట పాఠం, కథ కల, పాలు పాప, ಹಾಡು ಹಾವು, ಆಟ ಊಟ, കഥ കട, കളി കാള, গান গণ, ছবি ছাত্র, ગીત ગીતા, રમત રામ, ਖੇਡ ਖੇਤ, ଖେଳ ଖୋଲ`,
  pk: 'کتاب کتبخانہ, خبر خبردار, نماز نمازی, گاڑی گا, بات بارات, دل دلیل, کھانا خانہ',
})

const pairsOf = (words: string) => words.split(',').map((pair) => pair.trim().split(/\s+/) as [string, string])
const meets = (country: string, [term, name]: readonly [string, string]) =>
  stemmedMatchesOf(term, country)(name) === 'name'

test('singular and plural are one word, either way', () => {
  for (const [country, words] of Object.entries(one)) {
    const apart = pairsOf(words).filter((pair) => !meets(country, pair) || !meets(country, [pair[1], pair[0]]))
    assert.deepEqual(apart, [], country)
  }
})

test('different words stay two', () => {
  for (const [country, words] of Object.entries(two))
    assert.deepEqual(
      pairsOf(words).filter((pair) => meets(country, pair)),
      [],
      country,
    )
})

test('English plurals are one word in every storefront', () => {
  const english =
    'game games, photo photos, coupon coupons, score scores, team teams, story stories, hero heroes, book books, plan plans, class classes'
  for (const country of ['us', ...Object.keys(one)])
    assert.deepEqual(
      pairsOf(english).filter((pair) => !meets(country, pair)),
      [],
      country,
    )
})
