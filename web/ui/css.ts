import type { CSSProperties } from 'react'

/** Custom properties for one element, such as the width of its tiles: `style={css({ '--tile': '260px' })}`. */
export const customProperties = (properties: Record<`--${string}`, string>) => properties as CSSProperties
