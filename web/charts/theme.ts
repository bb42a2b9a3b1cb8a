import { useSyncExternalStore } from 'react'

/** The colour of a token as a canvas understands it, in the theme that is shown. */
export function cssColour(token: string): string {
  probe.style.color = `var(${token})`
  if (!probe.isConnected) document.body.append(probe)
  return getComputedStyle(probe).color
}

const probe = document.createElement('span')
probe.hidden = true

const dark = matchMedia('(prefers-color-scheme: dark)')

/** The theme that is shown, whether chosen or the system's. What is drawn on a canvas is drawn anew when it changes. */
export function useTheme(): 'light' | 'dark' {
  return useSyncExternalStore(subscribe, shownTheme)
}

function shownTheme(): 'light' | 'dark' {
  const chosen = document.documentElement.dataset.theme
  return chosen === 'light' || chosen === 'dark' ? chosen : dark.matches ? 'dark' : 'light'
}

function subscribe(listener: () => void): () => void {
  const attribute = new MutationObserver(listener)
  attribute.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  dark.addEventListener('change', listener)
  return () => {
    attribute.disconnect()
    dark.removeEventListener('change', listener)
  }
}
