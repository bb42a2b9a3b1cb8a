import { lines, type Theme, topic, words } from './theme.ts'

export const lifeThemes: readonly Theme[] = [
  {
    genreId: '6013',
    area: 'life',
    beside: '6012',
    brands: words('Stride Slumber Plank Breathe Sprint Stillpond Kettlebell'),
    topics: [
      topic('Meditation & Sleep', 'Meditation & Schlaf', '瞑想と睡眠'),
      topic('Workout Planner', 'Trainingsplan', '筋トレ記録'),
      topic('Running Tracker', 'Lauf-Tracker', 'ランニング記録'),
    ],
    sentences: lines(`
      Fall asleep to rain on a tin roof, a night train or a very long story about very little.
      Guided meditation sessions last from three minutes to thirty, for beginners and for those who are tired of being one.
      The workout planner builds a week from the equipment you own, even if that is one chair.
      Track a run with pace, hills and heart rate, and hear the splits without looking at a screen.
      Sleep sounds fade out when your breathing slows, and the alarm waits for a light phase of sleep.
      Log water, weight and steps in a second, and see the trend and not the wobble.
      Coaches record each workout in real time, with an easier version of every exercise beside it.
    `),
    features: lines(`
      Guided meditation and breathing
      Sleep sounds and stories
      Workout plans without equipment
      Running tracker with splits
      Works with your watch
      Trends for weight and heart rate
    `),
  },
  {
    genreId: '6023',
    area: 'life',
    beside: '6012',
    brands: words('Ladle Saucepan Pantry Simmer Crumb Paprika'),
    topics: [
      topic('Recipes & Meal Planner', 'Rezepte & Wochenplan', 'レシピと献立'),
      topic('Shopping List', 'Einkaufsliste', '買い物リスト'),
    ],
    sentences: lines(`
      Tell the pantry what is left in it and get recipes that use it up, in the order in which things go off.
      The meal planner fills a week in a minute and writes one shopping list, sorted by the aisles of your own shop.
      Every recipe has been cooked by somebody who was tired, in a small kitchen, on a weekday.
      Steps are read aloud and timers start themselves, so flour stays off the screen.
      Scale recipes for two or for twenty, in grams or in cups, without doing sums at the stove.
      Share the shopping list with your household and watch it shrink while they are in the shop.
    `),
    features: lines(`
      4,000 tested recipes
      Meal planner and shopping list
      Hands-free cooking mode
      Diets and allergies respected
      Import recipes from any page
    `),
  },
  {
    genreId: '6001',
    area: 'life',
    beside: '6010',
    brands: words('Drizzle Isobar Puddle Cumulus Barometer Gust'),
    topics: [
      topic('Weather Radar', 'Wetter & Regenradar', '天気と雨雲レーダー'),
      topic('Local Forecast', 'Wettervorhersage', '天気予報'),
    ],
    sentences: lines(`
      The forecast says when the rain starts on your street, to five minutes, and when it will let you go.
      Weather radar loops smoothly over the last two hours and the next one, with lightning as it strikes.
      Three models disagree in public here, so you can see how sure anyone is about Saturday.
      Wind, pollen, tides and snow depth each have a page of their own and stay out of the way otherwise.
      Severe weather alerts come from the official service of your country and are never sold as suspense.
    `),
    features: lines(`
      Minute by minute rain forecast
      Weather radar with lightning
      Widgets and watch faces
      Air quality and pollen
      Official weather alerts
    `),
  },
  {
    genreId: '6003',
    area: 'life',
    beside: '6010',
    brands: words('Suitcase Layover Rucksack Passport Detour Gangway'),
    topics: [
      topic('Trip Planner', 'Reiseplaner', '旅行計画'),
      topic('Flights & Hotels', 'Flüge & Hotels', '航空券とホテル'),
    ],
    sentences: lines(`
      Forward your bookings and the trip planner puts flights, hotels and trains on one page in the right time zone.
      Flight delays reach you before the board at the gate has made up its mind.
      City guides fit into an afternoon, work offline and know which museum is closed on Mondays.
      Compare hotels by the things that matter at midnight: noise, light and the walk from the station.
      A packing list learns what you never used last time and argues against taking it again.
    `),
    features: lines(`
      Trip planner from your inbox
      Flight alerts
      Offline city guides
      Packing lists
      Shared trips with a budget
    `),
  },
  {
    genreId: '6010',
    area: 'life',
    beside: '6003',
    brands: words('Compass Waypoint Signpost Milestone Bearing'),
    topics: [
      topic('Offline Maps & GPS', 'Offline-Karten & GPS', 'オフライン地図'),
      topic('Hiking Trails', 'Wanderwege', '登山ルート'),
    ],
    sentences: lines(`
      Maps of whole countries fit on your phone and keep working where the signal does not.
      Plan a hiking route by distance and climb, and know before the last bus whether you will make it.
      Turn by turn directions speak early enough to change lanes and then stop talking.
      Bike routes prefer quiet streets, even when a loud one would be forty seconds faster.
      Record a GPS track with hardly any battery and share it as a file that other maps can read.
    `),
    features: lines(`
      Offline maps of 190 countries
      Hiking and bike routes
      Height profiles
      GPS track recording
    `),
  },
  {
    genreId: '6012',
    area: 'life',
    beside: '6013',
    brands: words('Hygge Diary Doorbell Wardrobe Homely Almanac'),
    topics: [
      topic('Daily Journal', 'Tagebuch', '日記'),
      topic('Home & Garden', 'Haus & Garten', '暮らしとガーデニング'),
    ],
    sentences: lines(`
      A journal that asks one good question every evening and keeps the answers to itself.
      Remember what you wrote on this day in other years, with the photo and the weather.
      The garden calendar knows your frost dates and tells you what to sow before it is too late.
      Put your wardrobe in order with photos, and get three outfits a day from what you already own.
      Chores take turns between the people of the house, and the app keeps the score so that you need not.
    `),
    features: lines(`
      Private journal with a lock
      One question a day
      Garden calendar
      Household chores in turns
    `),
  },
  {
    genreId: '6020',
    area: 'life',
    beside: '6013',
    brands: words('Dosage Pulse Remedy Stethoscope Pillbox'),
    topics: [
      topic('Medication Reminder', 'Medikamenten-Erinnerung', 'お薬リマインダー'),
      topic('Symptom Diary', 'Symptom-Tagebuch', '体調記録'),
    ],
    sentences: lines(`
      Medication reminders that insist when it matters and can be answered with wet hands.
      Keep a diary of symptoms, blood pressure and sleep, and bring the doctor one page instead of a story.
      Refills are counted for you, and the pharmacy hears about it before the box is empty.
      Interactions between medicines are checked against a list kept by pharmacists and dated on every page.
      Let a relative see that today's dose was taken, and nothing else.
    `),
    features: lines(`
      Medication reminders and refills
      Symptom and blood pressure diary
      Report for your doctor
      Family sharing with consent
    `),
  },
  {
    genreId: '6004',
    area: 'life',
    beside: '6009',
    brands: words('Offside Referee Halftime Podium Locker'),
    topics: [
      topic('Live Scores', 'Liveticker', 'スポーツ速報'),
      topic('Fantasy League', 'Fantasy-Liga', 'ファンタジーリーグ'),
    ],
    sentences: lines(`
      Live scores arrive before the neighbours shout, from more leagues than any one person should follow.
      Follow one club and hear only what concerns it: line-ups, goals, and the injury you were afraid of.
      Fantasy league drafts take an evening, settle old arguments and start better ones.
      Tables, fixtures and statistics are two taps away and readable in sunlight.
      Hide the result until you have watched the match, on every screen including your wrist.
    `),
    features: lines(`
      Live scores from 300 leagues
      Fantasy league with drafts
      Spoiler mode
      Fixtures in your calendar
    `),
  },
  {
    genreId: '6024',
    area: 'life',
    beside: '6012',
    brands: words('Bargain Basket Haggle Coupon Trolley'),
    topics: [
      topic('Deals & Coupons', 'Angebote & Gutscheine', 'クーポンとお得情報'),
      topic('Second Hand Market', 'Flohmarkt & Second Hand', 'フリマ'),
    ],
    sentences: lines(`
      Watch the price of anything in forty shops and buy when the deal is real and not merely red.
      Sell second hand clothes with two photos: the title, size and price are suggested, the haggling is yours.
      Coupons are tried at the till one after another until the best of them sticks.
      Returns, warranties and receipts stay with the thing you bought for as long as you own it.
      Local sellers meet you at places with light and people, and payment waits until you have seen the bicycle.
    `),
    features: lines(`
      Price history and alerts
      Coupons found for you
      Second hand listings in a minute
      Receipts and warranties
    `),
  },
]
