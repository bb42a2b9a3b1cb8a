import { useSyncExternalStore } from 'react'

export type ThemeChoice = 'system' | 'light' | 'dark'

const remembered = 'rivalscope.theme'

export function themeChoice(): ThemeChoice {
  const stored = localStorage.getItem(remembered)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Shows a theme in this browser, from now on. */
export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') localStorage.removeItem(remembered)
  else localStorage.setItem(remembered, choice)
  showTheme()
  for (const listener of listeners) listener()
}

export function showTheme(): void {
  const choice = themeChoice()
  if (choice === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = choice
}

/** The chosen theme; components that use it follow when another part of the page changes it. */
export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, themeChoice)

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
