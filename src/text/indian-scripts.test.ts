import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normaliseTerm } from './keyword-term.ts'
import { nameMatch } from './known-names.ts'
import { languageOf } from './language.ts'
import { listingWords, termsIn } from './listing-words.ts'
import { fold, tokens } from './search-terms.ts'
import { stopWordsOf } from './stop-words.ts'
import { sentencesOf, wordsOf } from './text-facts.ts'

/** Names of apps in their own stores' listings, as the repositories of the apps keep them for their languages. */
const names: Record<string, readonly [from: string, name: string, typed: readonly string[]]> = {
  hi: ['AndBible/and-bible', 'बाइबिल अध्ययन ऐप, ऐंड बाइबिल ओपन सोर्स प्रोजेक्ट', ['ऐन्ड बाइबिल', 'ऐँड', 'ओपन सोर्स']],
  mr: ['vacoolstudio-rgb/eluna-media', 'Eluna Media व्हिडिओ कॉम्प्रेसर', ['व्\u200dहिडिओ', 'कॉम्प्\u200dरेसर']],
  bn: ['Hassan-PS/PrayerApp', 'মিহরাব: নামাজের সময় ও কুরআন', ['সময়', 'সময\u09bc', 'নামাজের']],
  ta: ['AndBible/and-bible', 'ஆண்ட் பைபில்: பைபில் ஸ்டடி', ['பைபில் ஸ்டடி']],
  te: ['mkmk749278/The-Bible-App', 'మన్నా — ఆఫ్లైన్ ఆడియో బైబిల్', ['ఆఫ్\u200cలైన్', 'బైబిల్\u200c', 'మన్నా']],
  kn: ['CatimaLoyalty/Android', 'ಕ್ಯಾಟಿಮಾ - ಲಾಯಲ್ಟಿ ಕಾರ್ಡ್ ಕೈಚೀಲ', ['ಕಾರ್ಡ್\u200c', 'ಕೈಚೀಲ']],
  ml: [
    'SimpleMobileTools/Simple-Calculator',
    'സിമ്പിൾ കാൽക്കുലേറ്റർ',
    ['സിമ്പിള്\u200d', 'സിംപിൾ', 'കാല്\u200dക്കുലേറ്റര്\u200d', 'കാല്ക്കുലേറ്റര്'],
  ],
  or: ['deepanjanxyz/notepad', 'ଏଲିଟ୍ ମେମୋ ପ୍ରୋ', ['ଏଲିଟ୍\u200c', 'ମେମ\u0b47\u0b3e', 'ମ\u0b47ମ\u0b47\u0b3e']],
  pa: ['DroidWorksStudio/mLauncher', 'mLauncher - ਨਿਊਨਤਮ ਅਤੇ ਕਲਟਰ ਫਰੀ ਲਾਂਚਰ', ['ਫ਼ਰੀ', 'ਲਾੰਚਰ', 'ਫਰੀ ਲਾਂਚਰ']],
  gu: ['deepanjanxyz/notepad', 'એલીટ મેમો પ્રો', ['મેમો', 'પ્\u200dરો']],
  ur: ['aziz781/merarashan', 'میرا راشن: راشن کارڈ پاکستان', ['ميرا راشن', 'كارڈ', 'پاکستان']],
  sl: ['SimpleMobileTools/Simple-Calendar', 'Enostavni prokoledar', ['ENOSTAVNI', 'prokoledar']],
}

test('a real name is found by what keyboards of its language type', () => {
  for (const [language, [from, name, typed]] of Object.entries(names))
    for (const term of typed)
      assert.notEqual(
        nameMatch(term, name).replace('some-words', 'none'),
        'none',
        `${language} ${from}: ${term}`,
      )
})

test('the language of a real name or text in these scripts is known', async () => {
  for (const [language, [from, name]] of Object.entries(names)) {
    if (['mr', 'hi', 'ur', 'sl'].includes(language)) continue
    assert.equal(await languageOf(name), language, from)
  }
  for (const [language, text] of [
    ['mr', 'मराठी बातम्या आणि ताज्या घडामोडी आपल्या मोबाईलवर वाचा, रोजचे राशीभविष्य आणि क्रीडा विश्व'],
    ['hi', 'ताज़ा हिंदी समाचार और वीडियो अपने मोबाइल पर देखें, हर दिन का राशिफल और क्रिकेट की सभी खबरें पढ़ें'],
    ['ur', 'بیداری چیلنج کے ساتھ اسمارٹ فجر الارم تاکہ آپ واقعی اٹھ جائیں، اور ہر نماز کے لیے اذان'],
    ['sl', 'Novice in vremenska napoved na vašem telefonu za vsak dan'],
  ] as const)
    assert.equal(await languageOf(text), language)
})

/** Two ways to write a word, of which people read no difference; the reason. */
const alike = [
  ['ज़रूर', 'ज\u093cरूर', 'nukta, composed and not'],
  ['फ़ोन', 'फोन', 'nukta left out'],
  ['हिन्दी', 'हिंदी', 'nasal and anusvara'],
  ['माँ', 'मां', 'candrabindu'],
  ['क्\u200dष', 'क्ष', 'joiner'],
  ['ॲप', 'अॅप', 'Marathi candra a'],
  ['অ\u09cd\u200dয', 'অ্য', 'joiner in Bengali'],
  ['উৎসব', 'উত্\u200dসব', 'khanda ta'],
  ['বাড়ি', 'বাড\u09bcি', 'nukta of Bengali'],
  ['কো', 'ক\u09c7\u09be', 'sign of two parts'],
  ['ਇੱਕ', 'ਇਕ', 'addak'],
  ['ਪੰਜਾਬ', 'ਪਂਜਾਬ', 'tippi and bindi'],
  ['ਸ਼ਬਦ', 'ਸ\u0a3cਬਦ', 'nukta of Gurmukhi'],
  ['ଓଡ଼ିଆ', 'ଓଡିଆ', 'nukta of Odia'],
  ['கொ', 'க\u0bc6\u0bbe', 'sign of two parts'],
  ['ஶ்ரீ', 'ஸ்ரீ', 'sri'],
  ['ஔவை', 'ஒளவை', 'au'],
  ['కై', 'క\u0c46\u0c56', 'sign of two parts'],
  ['ಕೋ', 'ಕ\u0cc6\u0cc2\u0cd5', 'sign of two parts'],
  ['അവൻ', 'അവന്\u200d', 'chillu, atomic and old'],
  ['എന്റെ', 'എൻ്റെ', 'nta'],
  ['എന്റെ', 'എൻറെ', 'nta'],
  ['സൌദി', 'സൗദി', 'au'],
  ['അത്', 'അതു്', 'half u'],
  ['ہندی', 'هندي', 'Arabic keyboard'],
  ['ہندی', 'ھندی', 'the other heh'],
  ['خانۀ', 'خانه', 'heh with hamza'],
  ['২০২৪', '2024', 'digits'],
  ['۲۰۲۴', '٢٠٢٤', 'digits'],
] as const

test('what is written in two ways is one word, in search and among stop words', () => {
  for (const [one, other, why] of alike) {
    assert.equal(fold(one), fold(other), why)
    assert.deepEqual(tokens(one), tokens(other), why)
    assert.equal(tokens(one).length, 1, why)
  }
  assert.ok(stopWordsOf('ml').has('എന്\u200dറെ') && stopWordsOf('ml').has('അവന്\u200d'))
  assert.ok(stopWordsOf('ur').has('هے') && stopWordsOf('ur').has('كے') && stopWordsOf('or').has('ଏଗୁଡିକ'))
})

test('letters that make other words stay apart', () => {
  for (const [one, other] of [
    ['கல்', 'கள்'],
    ['ছবি', 'ছাবি'],
    ['کے', 'کی'],
    ['में', 'मैं'],
    ['ଳ', 'ଲ'],
    ['കര', 'കറ'],
  ] as const)
    assert.notEqual(fold(one), fold(other))
})

test('folding twice is folding once in these scripts too', () => {
  const letter = fc.oneof(
    fc.integer({ min: 0x900, max: 0xd7f }),
    fc.integer({ min: 0x600, max: 0x6ff }),
    fc.constantFrom(0x200c, 0x200d, 0xad, 0x301, 0x61),
  )
  fc.assert(
    fc.property(fc.array(letter, { maxLength: 8 }), (points) => {
      const text = String.fromCodePoint(...points)
      assert.equal(fold(fold(text)), fold(text))
      for (const token of tokens(text)) assert.match(token.text, /^[\p{L}\p{N}\p{M}]+$/u)
    }),
    { numRuns: 5_000 },
  )
})

test('a danda ends a phrase and a sentence, and a virama never ends a word', () => {
  assert.deepEqual(
    listingWords('राम। श्याम॥ क्‍षमा १२', 'in').map(({ text, key, after }) => [text, key, after]),
    [
      ['राम', 'राम', 'break'],
      ['श्याम', 'श्याम', 'break'],
      ['क्‍षमा', 'क्षमा', 'break'],
      ['१२', '12', 'space'],
    ],
  )
  assert.equal(sentencesOf('यह पहला है। यह दूसरा है॥ तीसरा').length, 3)
  assert.equal(sentencesOf('یہ پہلا ہے۔ یہ دوسرا ہے؟ تیسرا').length, 3)
  assert.deepEqual(wordsOf('അവന്\u200d വന്നു', 'ml').length, 2)
})

test('a keyword keeps the joiner that its last letter is made of', () => {
  assert.equal(normaliseTerm(' അവന്\u200d ', 'in'), 'അവന്\u200d')
  assert.equal(normaliseTerm('राम\u200d', 'in'), 'राम')
  assert.equal(normaliseTerm('می\u200c', 'pk'), 'می')
})

test('the terms of a real text are words of its language, without those of grammar', () => {
  for (const [language, text, kept, dropped] of [
    ['or', 'ଏହି ଅ୍ୟାପ ସୂଚନା ସଂଗ୍ରହ କରିବା ପାଇଁ ବ୍ୟବହାର କରେ ନାହିଁ।', 'ସୂଚନା', 'ପାଇଁ'],
    ['te', 'మీ నిల్వ ఫైల్లు మరియు ఫోల్డర్లను సేకరిస్తూ ఉంది', 'నిల్వ', 'మరియు'],
    ['ta', 'உங்கள் கேலரியில் நகல் புகைப்படங்கள்', 'நகல்', 'உங்கள்'],
    ['kn', 'ಸಂಪರ್ಕ, ಮೈಕ್ರೋಫೋನ್ ಮತ್ತು ಕೇಸ್ ಬಗ್ಗೆ ಹೆಚ್ಚುವರಿ ಮಾಹಿತಿ', 'ಮೈಕ್ರೋಫೋನ್', 'ಮತ್ತು'],
    ['ml', 'നിങ്ങൾ നീക്കംചെയ്ത ആപ്പുകൾ എന്തെങ്കിലും ഫയലുകൾ അവശേഷിപ്പിക്കുന്നു', 'ഫയലുകൾ', 'നിങ്ങൾ'],
    ['ur', 'درست اوقاتِ نماز — مکمل مفت، بغیر اشتہار، اور اوپن سورس۔', 'نماز', 'اور'],
    ['pa', 'ਇਹ ਐਪ ਵਿਜਞਾਪਨ ਮੁਕਤ ਹੈ।', 'ਐਪ', 'ਹੈ'],
  ] as const) {
    const terms = termsIn(listingWords(text, 'in'), stopWordsOf(language)).map(({ term }) => term)
    assert.ok(terms.includes(kept), `${language}: ${terms}`)
    assert.ok(!terms.includes(dropped), `${language}: ${terms}`)
  }
})
