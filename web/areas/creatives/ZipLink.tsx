import type { ReactNode } from 'react'
import buttons from '../../ui/Button.module.css'
import { listOf } from './search.ts'
import type { PieceKey } from './shapes.ts'

/** Has the browser save what is saved, or a part of it, with its kept copies; the service writes the archive as it is read. */
export function ZipLink({
  tag,
  items,
  children,
}: {
  tag?: string | undefined
  items?: readonly PieceKey[]
  children: ReactNode
}) {
  const part = new URLSearchParams({
    ...(tag === undefined ? {} : { tag }),
    ...(items ? { items: listOf([...items]) ?? '' } : {}),
  })
  return (
    <a
      className={`${buttons.button} ${buttons.small}`}
      href={`/saved-creatives.zip${part.size > 0 ? `?${part}` : ''}`}
      download
    >
      {children}
    </a>
  )
}
