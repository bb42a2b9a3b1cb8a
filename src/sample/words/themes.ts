import type { Theme } from './theme.ts'
import { gameThemes } from './themes-games.ts'
import { lifeThemes } from './themes-life.ts'
import { mediaThemes } from './themes-media.ts'
import { moneyThemes } from './themes-money.ts'
import { workThemes } from './themes-work.ts'

/** How many invented apps a theme gets. Games and Finance have charts of their own and need enough of them. */
const apps = { games: 7, money: 27, work: 7, life: 8, media: 8 } as const

export const themes: readonly { readonly theme: Theme; readonly apps: number }[] = [
  ...gameThemes,
  ...moneyThemes,
  ...workThemes,
  ...lifeThemes,
  ...mediaThemes,
].map((theme) => ({ theme, apps: apps[theme.area] }))

/** The theme of a genre: the first of them, where a genre has several. */
export function themeOf(genreId: string): Theme {
  const found = themes.find(({ theme }) => theme.genreId === genreId)
  if (!found) throw new RangeError(`no theme for genre ${genreId}`)
  return found.theme
}
