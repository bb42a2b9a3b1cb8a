import { lines, type Theme, topic, words } from './theme.ts'

export const mediaThemes: readonly Theme[] = [
  {
    genreId: '6008',
    area: 'media',
    beside: '6027',
    brands: words('Shutter Darkroom Tripod Aperture Squint Lenscap'),
    topics: [
      topic('Photo Editor', 'Foto-Editor', '写真加工'),
      topic('Video Maker', 'Videos schneiden', '動画編集'),
      topic('Film Camera', 'Analogkamera', 'フィルムカメラ'),
    ],
    sentences: lines(`
      A photo editor with curves, masks and a button that undoes good intentions.
      Remove the stranger from the beach, the wire from the sky and the date from 1998.
      Cut a video to the beat of its music, caption it by itself and post it in every format at once.
      Film looks were measured from real rolls, including the one that was left in a hot car.
      Edit a whole wedding in one evening by copying the light of one photo to four hundred others.
      Filters can be mixed, saved and given to friends, who will claim to have invented them.
    `),
    features: lines(`
      Photo editor with masks
      Video cutting and captions
      Film filters
      Object removal
      RAW and batch editing
    `),
  },
  {
    genreId: '6011',
    area: 'media',
    beside: '6016',
    brands: words('Encore Metronome Octave Busker Treble Vinyl'),
    topics: [
      topic('Music Player', 'Musikplayer', '音楽プレイヤー'),
      topic('Guitar Tuner', 'Gitarre stimmen', 'ギターチューナー'),
    ],
    sentences: lines(`
      A music player for files you own, with gapless albums, lyrics and an equaliser that remembers each headphone.
      Tune a guitar, a ukulele or a stubborn piano by ear, needle or strobe.
      Slow a song down without changing its pitch and loop the four bars you cannot play yet.
      Radio from nine thousand stations sorts itself by mood, language and hour of the night.
      Learn chords with songs you know, and let the app listen and turn the page.
    `),
    features: lines(`
      Gapless music player
      Tuner and metronome
      Slow-down practice loops
      Radio stations of the world
      Lyrics and equaliser
    `),
  },
  {
    genreId: '6016',
    area: 'media',
    beside: '6011',
    brands: words('Popcorn Matinee Usher Curtain Gramophone'),
    topics: [
      topic('Podcasts & Audio', 'Podcasts & Audio', 'ポッドキャスト'),
      topic('What to Watch', 'Filme & Serien finden', '映画とドラマ'),
    ],
    sentences: lines(`
      Decide what to watch in two minutes: everyone in the room swipes, the app finds the film nobody hates.
      Podcasts skip their own silences, remember where you fell asleep and trim the same intro every week.
      See which service shows a series tonight and which will stop showing it on Friday.
      Keep a diary of films with stars, quotes and the seat you sat in.
      Clips and episodes download over the night, so the tunnel in the morning has something to say.
    `),
    features: lines(`
      Podcast player with smart speed
      Watch list across services
      Group decisions
      Film diary
    `),
  },
  {
    genreId: '6009',
    area: 'media',
    beside: '6006',
    brands: words('Gazette Courier Headline Broadsheet Dispatch'),
    topics: [
      topic('Local News', 'Lokalnachrichten', 'ローカルニュース'),
      topic('Daily Briefing', 'Nachrichten kompakt', '朝刊まとめ'),
    ],
    sentences: lines(`
      The news of the day in nine stories, with an end, after which you may get on with your life.
      Local news from your own town comes first, because that is where the road works are.
      Each story shows who reported it, what they saw themselves and what they were told.
      Read offline, listen on foot, or get the briefing as a short letter before breakfast.
      Breaking news has to break something before it may buzz.
    `),
    features: lines(`
      Daily briefing with an end
      Local news by town
      Read and listen offline
      Sources on every story
    `),
  },
  {
    genreId: '6017',
    area: 'media',
    beside: '6006',
    brands: words('Chalk Satchel Syllabus Tutor Verb Inkpot'),
    topics: [
      topic('Language Learning', 'Sprachen lernen', '英語学習'),
      topic('Flashcards & Study', 'Karteikarten & Lernen', '暗記カード'),
      topic('Math for Kids', 'Mathe für Kinder', 'こども算数'),
    ],
    sentences: lines(`
      Learn a language by talking from the first lesson, to a patient listener who never sighs.
      Flashcards come back just before you would forget them, which is later each time.
      Children learn maths by feeding a dragon that is fussy about fractions.
      Lessons take seven minutes and end with something you can say to a real person today.
      Grammar is explained when you trip over it and not a chapter earlier.
      Study with a class, a friend or a timer: progress is shown in words known and not in fireworks.
    `),
    features: lines(`
      Language learning by speaking
      Flashcards with spaced repetition
      Maths for kids from 4 to 11
      Offline lessons
      Progress for parents and teachers
    `),
  },
  {
    genreId: '6018',
    area: 'media',
    beside: '6017',
    brands: words('Bookworm Chapter Dogear Librarian Folio'),
    topics: [
      topic('Audiobooks & Reader', 'Hörbücher & E-Books', 'オーディオブック'),
      topic('Reading Log', 'Lesetagebuch', '読書記録'),
    ],
    sentences: lines(`
      Read a chapter on the bus and hear the next one in the car: the bookmark moves by itself.
      The reading log counts pages, keeps quotes and remembers who lent you the book.
      Borrow audiobooks from your own library with the card you already have.
      Fonts, margins and paper colours were set by people who make books for a living.
      Stories for children are read aloud, stop at the picture and wait for questions.
    `),
    features: lines(`
      Audiobooks and e-books in step
      Library loans
      Reading log and quotes
      Sleep timer
    `),
  },
  {
    genreId: '6005',
    area: 'media',
    beside: '6012',
    brands: words('Campfire Gossip Hallway Postcard Chatter'),
    topics: [
      topic('Chat & Make Friends', 'Chat & Freunde finden', 'チャットと友達作り'),
      topic('Video Calls', 'Videoanrufe', 'ビデオ通話'),
      topic('Dating', 'Dating', 'マッチング'),
    ],
    sentences: lines(`
      Chat with the six people you would take to an island, and with nobody who was not invited.
      Video calls start with one tap, even for the uncle who holds the phone to his ear.
      Make friends nearby by doing something together: a walk, a quiz, a leaking tap.
      Messages are encrypted, photos lose their location, and silence is a setting.
      Dating with one profile a day, written by a friend of theirs, which is harder and works better.
      Group chat sums itself up when you come back from a week without signal.
    `),
    features: lines(`
      Encrypted chat and video calls
      Groups without noise
      Meet people nearby
      Profiles written by friends
      Disappearing photos
    `),
  },
]
