export const appId = '01995a10-3c41-7f02-8a6e-52b7c19d0e31'
export const rivalAppId = '01995a12-90d7-7b1c-9f44-0c8e6a2d7b15'
export const focusTimerId = '01995a1f-07aa-7d3e-b1c2-7e45f0a9d862'
export const deepWorkId = '01995a1f-07ab-7c58-94d0-3af1b26c5e07'
export const pomodoroId = '01995a1f-07ac-7e90-a3b7-61d84c2f9b50'

export const notCollected = { state: 'not-measured', reason: 'never-collected' }
export const noSnapshot = { state: 'not-measured', reason: 'no-snapshot' }

export const measured = (value: unknown, evidence = 0) => ({ state: 'measured', value, evidence })
export const ranked = (value: number) => ({ state: 'measured', value, depth: 200 })
export const outside = { state: 'absent', depth: 200 }
export const score = (formula: string, value: number) => ({ state: 'measured', value, formula: `${formula}/1` })
export const moved = (places: number, comparedOn: string) => ({ state: 'measured', places, comparedOn })

export const label = (storeId: string, name: string, developer: string) => ({
  platform: 'ios',
  storeId,
  name,
  developer,
  iconUrl: `https://is1-ssl.mzstatic.com/image/thumb/sample/${storeId}/100x100.png`,
  namedIn: 'us',
  catalogued: true,
})
export const brook = label('6449120387', 'Brook: Focus Timer', 'Brook Labs Ltd')
export const larkspur = label('1573204466', 'Larkspur Deep Work & Pomodoro', 'Larkspur GmbH')
export const heron = label('6738815509', 'Focus Timer by Heron', 'Heron Apps')
export const quietly = label('1480077251', 'Quietly: Pomodoro Timer', 'Oda Studio')

export const surface = 'iTunes Search API'
export const searchedAt = '2026-03-09T06:02:11Z'
export const searchPageOf = (observedAt: string, readingId: string) => ({
  source: 'itunes-search',
  origin: 'collected',
  surface,
  country: 'us',
  observedAt,
  timeBasis: 'clock',
  readingId,
})
export const newestPage = searchPageOf(searchedAt, '019cd0f2-5a3e-7a64-8d0b-f2c4917e6a03')
