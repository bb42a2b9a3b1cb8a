import { type Area, lines, type Theme, type Topic, topic, words } from './theme.ts'

const game = (
  genreId: string,
  brands: string,
  topics: readonly Topic[],
  sentences: string,
  features: string,
): Theme => ({
  genreId,
  area: 'games' satisfies Area,
  brands: words(brands),
  topics,
  sentences: lines(sentences),
  features: lines(features),
})

export const gameThemes: readonly Theme[] = [
  game(
    '7012',
    'Jumble Riddle Domino Hexa Tangle Merge',
    [
      topic('Match 3 Puzzle', 'Match-3-Puzzle', 'マッチ3パズル'),
      topic('Block Puzzle', 'Blockpuzzle', 'ブロックパズル'),
      topic('Sudoku & Logic', 'Sudoku & Logik', 'ナンプレ'),
    ],
    `
      Match three of a kind, clear the shelf and find out what the landlady has been hiding behind it.
      Block puzzles without a clock: turn, drop and breathe out.
      Merge teacups into teapots and teapots into something the museum would rather not discuss.
      Each sudoku has exactly one answer and a hint that teaches the trick instead of the digit.
      A new puzzle every morning is the same for everyone, so the breakfast table can argue.
    `,
    `
      2,000 puzzle levels
      Relaxing block puzzle mode
      Sudoku from gentle to cruel
      Daily puzzle
    `,
  ),
  game(
    '7019',
    'Vowel Anagram Spelling Syllable Crossword',
    [
      topic('Word Search', 'Wortsuche', '単語さがし'),
      topic('Crossword Daily', 'Kreuzworträtsel', 'クロスワード'),
    ],
    `
      Swipe letters into words, and words into a postcard from somewhere warm.
      A crossword a day, set by people, with clues that groan and answers that click.
      Word search boards hide proverbs that are almost true.
      Challenge a friend to spell faster with seven letters and one shared vowel.
    `,
    `
      Crossword every day
      Word search in 12 languages
      Duels by letters
    `,
  ),
  game(
    '7001',
    'Rumble Clatter Dash Bonk Havoc Scuffle',
    [
      topic('Endless Runner', 'Endless Runner', 'ランアクション'),
      topic('Battle Arena', 'Kampfarena', 'バトルアリーナ'),
    ],
    `
      Run, slide and jump through a city that is being redecorated while you are in it.
      Enter an arena with nine others and leave with most of your eyebrows.
      Controls fit two thumbs, and bosses fit no screen.
      Dodge, parry and strike in fights that last forty seconds and feel like a film.
      Upgrade swords, boots and an improbable umbrella.
    `,
    `
      Ten-player battle arena
      Endless running levels
      Controller support
    `,
  ),
  game(
    '7002',
    'Lantern Cavern Driftwood Expedition Ruin',
    [
      topic('Hidden Object Mystery', 'Wimmelbild-Krimi', '謎解きアドベンチャー'),
      topic('Escape Room', 'Escape Room', '脱出ゲーム'),
    ],
    `
      A hidden object mystery in a hotel where every room is one year older than the last.
      Escape rooms built by a clockmaker with a grudge and plenty of string.
      Talk to suspects, read their letters and accuse somebody before the tide comes in.
      Explore islands on foot, by raft and, once, by goose.
    `,
    `
      Hidden object scenes
      Escape room puzzles
      Story in five chapters
    `,
  ),
  game(
    '7004',
    'Checker Pawn Gambit Meeple',
    [
      topic('Chess & Checkers', 'Schach & Dame', 'チェスと将棋'),
      topic('Board Game Night', 'Spieleabend', 'ボードゲーム'),
    ],
    `
      Play chess against friends, strangers or a computer that apologises.
      Learn openings by playing them and endgames by losing them.
      Board game nights for up to six, with the rules explained by someone who has read them.
      Analyse each game afterwards with arrows, numbers and tact.
    `,
    `
      Chess with friends
      Board games for six
      Analysis and lessons
    `,
  ),
  game(
    '7005',
    'Joker Trump Shuffle Widow Kingside',
    [
      topic('Solitaire Classic', 'Solitär Klassik', 'ソリティア'),
      topic('Card Battle', 'Kartenduell', 'カードバトル'),
    ],
    `
      Solitaire as you know it, with cards large enough for a moving tram.
      Build a deck of thirty cards and defend your bridge against creatures with hobbies.
      Daily deals can always be solved, which is more than can be said of most things.
      Trade cards with friends and never with a shop window.
    `,
    `
      Solitaire, Spider and FreeCell
      Deck building card battles
      Daily deals that can be won
    `,
  ),
  game(
    '7006',
    'Jackpot Clover Roulette Croupier',
    [topic('Slots & Poker', 'Slots & Poker', 'スロットとポーカー')],
    `
      Spin slots with play money in a casino that has windows and a closing time.
      Poker tables seat five friends and one suspicious cousin.
      Bonus rounds, free spins and a jackpot that buys absolutely nothing outside this app.
      For adults, for fun, and with a budget you can set before the first spin.
    `,
    `
      40 slot machines
      Poker with friends
      Play money only
    `,
  ),
  game(
    '7009',
    'Bubble Wobble Tumble Nursery',
    [topic('Games for Kids', 'Spiele für Kinder', '子供向けゲーム')],
    `
      Games for small hands: pop bubbles, dress a bear, wash a very muddy train.
      No advertising, no links, no purchases that a three-year-old could make.
      Colours, shapes and first letters are learned while nobody is looking.
      Parents choose how long it lasts, and the bear says goodbye.
    `,
    `
      For ages 2 to 6
      Colours, shapes and letters
      Timer for parents
    `,
  ),
  game(
    '7011',
    'Beatbox Tempo Crescendo Tambour',
    [topic('Rhythm Game', 'Rhythmusspiel', 'リズムゲーム')],
    `
      Tap to the beat of eighty songs written for this rhythm game by people who live in basements.
      Piano tiles fall, drums answer, and the cat keeps time.
      Compose a level from your own humming and send it to a rival.
    `,
    `
      80 original songs
      Piano and drum modes
      Level editor
    `,
  ),
  game(
    '7013',
    'Throttle Chicane Turbo Hubcap Drift',
    [
      topic('Kart Racing', 'Kart-Rennen', 'カートレース'),
      topic('Drift Simulator', 'Drift-Simulator', 'ドリフトレース'),
    ],
    `
      Race karts through a garden centre, a harbour and the inside of a grand piano.
      Drift for points, tune the engine between heats and paint the bonnet like a wasp.
      Steer by tilting, tapping or leaning your whole body, as everyone does anyway.
      Ghosts of your friends drive every track, including the corner they always get wrong.
    `,
    `
      24 racing tracks
      Tuning and paint shop
      Races against friends
    `,
  ),
  game(
    '7014',
    'Dragon Paladin Rune Goblin Ember',
    [
      topic('Fantasy RPG', 'Fantasy-Rollenspiel', 'ファンタジーRPG'),
      topic('Idle Heroes', 'Idle-Helden', '放置系RPG'),
    ],
    `
      Lead four unlikely heroes through a fantasy kingdom that has run out of prophecies.
      Idle while you sleep: the party fights on, quarrels and brings home loot by morning.
      Choose your class, from paladin to plumber, and change your mind at any inn.
      Guilds raid a dragon together on Sundays at eight, local time.
      Turn-based battles reward planning, weather and the occasional bribe.
    `,
    `
      120 heroes to collect
      Turn-based battles
      Guild raids
      Idle rewards
    `,
  ),
  game(
    '7015',
    'Barnyard Tycoon Bakery Meadow Depot',
    [
      topic('Farm & Town Builder', 'Farm & Stadtaufbau', '農園と街づくり'),
      topic('Cooking Simulator', 'Kochsimulator', 'クッキング'),
    ],
    `
      Plant turnips, build a town around them and elect a mayor who understands turnips.
      Run a bakery from the first roll to the third branch, and fire nobody before breakfast.
      Lay tracks, name trains and watch small people miss them.
      Farm, craft and decorate at the pace of a real afternoon.
    `,
    `
      Farm and town building
      200 recipes to cook
      Trains, boats and a funicular
    `,
  ),
  game(
    '7016',
    'Striker Dribble Hattrick Birdie',
    [topic('Soccer Manager', 'Fußball-Manager', 'サッカー監督'), topic('Mini Golf', 'Minigolf', 'ミニゴルフ')],
    `
      Manage a soccer club from the mud of the ninth league to a stadium with a roof.
      Sign players with invented names and very real moods.
      Mini golf on forty holes, two of which are legal.
      Matches last three minutes and are argued about for longer.
    `,
    `
      Soccer league and cup
      Transfers and training
      Mini golf duels
    `,
  ),
  game(
    '7017',
    'Bastion Siege Banner Garrison Citadel',
    [
      topic('Tower Defense', 'Tower Defense', 'タワーディフェンス'),
      topic('Kingdom Strategy', 'Königreich-Strategie', '王国ストラテジー'),
    ],
    `
      Defend a tower against waves of polite but determined knights.
      Build a kingdom, sign treaties and break them at the last responsible moment.
      Real-time strategy in matches of eight minutes, with no advantage for those who pay.
      Alliances of fifty share a map, a treasury and a grudge.
    `,
    `
      Tower defense campaign
      Alliances and treaties
      Fair ranked matches
    `,
  ),
  game(
    '7018',
    'Quizzical Buzzer Pundit Knowall',
    [topic('Trivia Quiz', 'Quiz & Wissen', 'クイズ')],
    `
      Ten trivia questions a day, written by humans and argued over by aunts.
      Duel a friend on any topic, from capital cities to the history of soup.
      Wrong answers are explained, and right ones are explained too, in case you guessed.
    `,
    `
      20,000 quiz questions
      Duels and teams
      Make your own quiz
    `,
  ),
]
