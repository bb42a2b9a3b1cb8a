/** What apps of one genre talk about. Apps that share a theme share its vocabulary, as similar apps do. */
export type Theme = {
  readonly genreId: string
  readonly area: Area
  /** A second genre such apps often stand in. */
  readonly beside?: string
  /** First words of invented brands. */
  readonly brands: readonly string[]
  /** What the app is, as names put it after the colon. */
  readonly topics: readonly Topic[]
  readonly sentences: readonly string[]
  /** Bullet points. */
  readonly features: readonly string[]
}

export type Topic = { readonly en: string; readonly de: string; readonly ja: string }

/** Developers and advertisers keep to one area. */
export type Area = 'games' | 'money' | 'work' | 'life' | 'media'

export const topic = (en: string, de: string, ja: string): Topic => ({ en, de, ja })

export const words = (text: string): string[] => text.split(' ')

export const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
