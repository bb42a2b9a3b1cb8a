import { lines, type Theme, topic, words } from './theme.ts'

/** The sample follows Finance closely (it has a chart of its own), so it has the richest vocabulary. */
export const moneyThemes: readonly Theme[] = [
  {
    genreId: '6015',
    area: 'money',
    beside: '6007',
    brands: words('Ledger Penny Thrift Nickel Purse Tally Abacus Pocket'),
    topics: [
      topic('Budget Planner', 'Haushaltsbuch', '家計簿'),
      topic('Expense Tracker', 'Ausgaben im Blick', '支出管理'),
      topic('Bills & Subscriptions', 'Rechnungen & Abos', '固定費とサブスク管理'),
    ],
    sentences: lines(`
      Make a budget in five minutes and let every expense find its envelope without typing a single number.
      See where the money went by week, month and shop, in charts that do not need an accountant to read.
      Subscriptions are found in your transactions and listed with the day on which each will charge you next.
      Bills are due on one calendar, with a reminder that comes before the fee and not after it.
      Share a budget with the people you live with, and keep the birthday presents private.
      Set savings goals, watch the bars fill, and get told honestly when a goal and a habit do not fit together.
      Connect your bank or keep the expense tracker entirely by hand: both are first class here.
    `),
    features: lines(`
      Budget envelopes with rollover
      Expense tracker with photo receipts
      Subscription finder
      Shared household budgets
      Bill calendar and reminders
      Export to spreadsheet
    `),
  },
  {
    genreId: '6015',
    area: 'money',
    brands: words('Bullseye Dividend Ticker ParsedPayload Compound Stockpot Margin'),
    topics: [
      topic('Stocks & Investing', 'Aktien & Geldanlage', '株と投資'),
      topic('Portfolio Tracker', 'Depot im Blick', '資産管理'),
      topic('Crypto Wallet', 'Krypto-Wallet', '仮想通貨ウォレット'),
    ],
    sentences: lines(`
      Follow stocks, funds and coins in one portfolio, and see the return after fees, which is the one that counts.
      Start investing with the price of a sandwich: fractional shares make every company small enough to buy.
      Dividends appear in a calendar, so that income from your portfolio looks like what it is.
      Price alerts are quiet by default and loud only for the stocks you name.
      The crypto wallet keeps keys on your phone, backs them up in words and explains every fee before you sign.
      Learn what a bond is from lessons of three minutes, written by people who have owned some.
      Compare your portfolio with the market over ten years, and with the mattress over twenty.
    `),
    features: lines(`
      Portfolio across brokers
      Stocks, funds and crypto
      Dividend calendar
      Price alerts
      Lessons on investing
      Face ID for every order
    `),
  },
  {
    genreId: '6015',
    area: 'money',
    brands: words('Coinjar Vault Teller Mattress Squirrel Kitty Counter'),
    topics: [
      topic('Mobile Banking', 'Mobiles Banking', 'モバイルバンキング'),
      topic('Save Money', 'Geld sparen', '貯金アプリ'),
      topic('Split Bills', 'Kosten teilen', '割り勘'),
    ],
    sentences: lines(`
      Open an account in the time a kettle needs, and get a card with your name spelled correctly.
      Round up every purchase and let the savings grow in jars with names such as roof, goat or sabbatical.
      Split bills with friends after dinner, whoever had the lobster, and remind them without losing them.
      Send money abroad at the middle rate, with the fee written in the same size as the amount.
      Freeze the card from the bus and thaw it when it turns up in the other coat.
      Banking alerts arrive the moment money moves, with the name of the shop instead of a riddle.
      Save money by rules you make yourself: when it rains, when your team loses, when you skip the taxi.
    `),
    features: lines(`
      Account and card in minutes
      Savings jars and round-ups
      Split bills with friends
      Transfers abroad at the middle rate
      Freeze and thaw your card
      Payment alerts
    `),
  },
]
