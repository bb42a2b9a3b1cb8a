import { lines, type Theme, topic, words } from './theme.ts'

export const workThemes: readonly Theme[] = [
  {
    genreId: '6000',
    area: 'work',
    beside: '6007',
    brands: words('Invoice Clerk Billfold Stapler Foreman Docket Crew'),
    topics: [
      topic('Invoice Maker', 'Rechnungen schreiben', '請求書作成'),
      topic('Shift Planner', 'Schichtplaner', 'シフト管理'),
      topic('Team Chat', 'Team-Chat', 'チームチャット'),
    ],
    sentences: lines(`
      Write an invoice in under a minute, send it from the kitchen table and see when the client has opened it.
      Estimates turn into invoices with one tap, and payments settle themselves against the oldest bill first.
      Plan shifts for the whole team, swap them without phone calls and let everyone see the week at a glance.
      Keep clients, jobs and receipts in one place, so that the end of the quarter is an afternoon and not a crisis.
      Team chat sorts itself by project, and messages sent after work wait politely until the morning.
      Scan a business card or a receipt and the numbers land in the right column before you have put the phone down.
      Export everything for your accountant as a spreadsheet, with taxes added up the way the office likes them.
    `),
    features: lines(`
      Invoice templates with your logo
      Shift planner with swaps
      Team chat by project
      Receipt scanner
      Client list and job history
      Reports for the accountant
    `),
  },
  {
    genreId: '6007',
    area: 'work',
    beside: '6002',
    brands: words('Tidy Checkbox Agenda Memo Focus Daybreak Nudge'),
    topics: [
      topic('To Do List & Planner', 'To-do-Liste & Planer', 'タスク管理'),
      topic('Habit Tracker', 'Gewohnheiten-Tracker', '習慣トラッカー'),
      topic('Notes & Calendar', 'Notizen & Kalender', 'メモとカレンダー'),
    ],
    sentences: lines(`
      A to do list that stays short: whatever you postpone three times is asked, kindly, whether it matters at all.
      Build a habit with streaks that forgive one bad day, because life is not a spreadsheet.
      Notes, tasks and calendar share one page, so the plan for the day is where you will actually look.
      Type the way you talk, and dates, places and people become reminders without another tap.
      The focus timer dims the rest of the phone and keeps an honest record of where the hours went.
      Widgets show the next task on the lock screen, and nothing else, because one is plenty.
      Plan the week on Sunday in ten minutes with a review that has only four questions.
    `),
    features: lines(`
      Tasks, notes and calendar together
      Habit tracker with gentle streaks
      Focus timer
      Reminders by place and time
      Widgets for the lock screen
      Sync between phone, tablet and watch
    `),
  },
  {
    genreId: '6002',
    area: 'work',
    beside: '6007',
    brands: words('Gadget Spanner Scanly Toolbox Flash Clip Convert'),
    topics: [
      topic('PDF Scanner', 'PDF-Scanner', 'PDFスキャナー'),
      topic('Unit Converter', 'Einheiten-Umrechner', '単位変換'),
      topic('Storage Cleaner', 'Speicher aufräumen', 'ストレージ整理'),
    ],
    sentences: lines(`
      Point the camera at paper and get a straight, sharp PDF, with the text inside ready to be searched.
      Convert any unit into any other, including the ones your grandmother cooks with.
      Find duplicate photos and forgotten downloads, and see how much storage each of them costs before you delete.
      A calculator that shows its working, so that a slip of the thumb is found in a second.
      Everything runs on the device itself: no account, no upload, no waiting for a server to wake up.
      The scanner finds the edges of a page even on a messy desk and joins many pages into one document.
    `),
    features: lines(`
      Scanner with text recognition
      Converter for 240 units
      Duplicate photo finder
      Works without a network
      Share sheet and shortcuts
    `),
  },
  {
    genreId: '6006',
    area: 'work',
    beside: '6017',
    brands: words('Lexicon Footnote Glossary Atlas Margin Index'),
    topics: [
      topic('Dictionary & Translator', 'Wörterbuch & Übersetzer', '辞書と翻訳'),
      topic('Plant Identifier', 'Pflanzen bestimmen', '植物図鑑'),
    ],
    sentences: lines(`
      Look up a word in any of nineteen languages, hear it spoken and see it used in a sentence by a living person.
      The translator works offline, which is where foreign menus tend to be.
      Photograph a leaf and learn what plant it belongs to, whether it is edible, and who else is fond of it.
      Entries are written by editors with names, and each says when it was last checked.
      Save words to a list and meet them again a week later, when you have just begun to forget them.
    `),
    features: lines(`
      Offline dictionary and translator
      Pronunciation by native speakers
      Plant and insect identifier
      Word lists with reminders
    `),
  },
  {
    genreId: '6026',
    area: 'work',
    beside: '6007',
    brands: words('Semicolon Pipeline Regex Terminal Commit Stack'),
    topics: [
      topic('SSH & Terminal', 'SSH & Terminal', 'SSHターミナル'),
      topic('Code Editor', 'Code-Editor', 'コードエディタ'),
    ],
    sentences: lines(`
      A code editor that respects the size of a phone: jump, rename and review with one thumb.
      Open a terminal on any server over SSH, keep the keys in the secure enclave and the session alive on the train.
      Read a pull request on the way to work and leave comments that do not sound written on the way to work.
      Regular expressions are explained in plain words as you type them, which has saved at least one marriage.
      See the build turn red or green on the lock screen, with the line that broke it.
    `),
    features: lines(`
      Syntax colours for 90 languages
      SSH and SFTP
      Pull request reviews
      Build notifications
    `),
  },
  {
    genreId: '6027',
    area: 'work',
    beside: '6008',
    brands: words('Sketch Palette Vector Inkwell Crayon Easel'),
    topics: [
      topic('Drawing & Sketchbook', 'Zeichnen & Skizzenbuch', 'お絵かき'),
      topic('Logo Maker', 'Logo erstellen', 'ロゴ作成'),
    ],
    sentences: lines(`
      Draw with brushes that behave like paint, pencil and chalk, and undo the way real paper never allowed.
      Layers, masks and perspective guides are there when a drawing needs them and hidden while it does not.
      Design a logo from shapes and letters, then export it as a vector that a printer will not complain about.
      Record every stroke and share the drawing as a film of thirty seconds.
      Colour palettes can be taken from any photo, so that last summer becomes this year's poster.
    `),
    features: lines(`
      140 brushes and your own
      Layers and blend modes
      Vector export
      Time-lapse recording
      Palettes from photos
    `),
  },
]
