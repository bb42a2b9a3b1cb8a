import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { customProperties } from '../../ui/css.ts'
import { MorePages, Skeleton } from '../../ui/parts.tsx'
import styles from './creatives.module.css'

const gap = 12
const leastWidth = 180
/** Below the picture: name, two lines of text, facts. */
const textHeight = 98
/** Height of the picture for its width. */
const tall = 1.2
/** Rows before the end at which the next page is asked for. */
const ahead = 3

interface Measures {
  columns: number
  width: number
  top: number
}

const heightOf = (width: number): number => Math.round(width * tall) + textHeight

/**
 * Cards in even rows, as many beside each other as fit; rows outside the screen are not drawn. j and k or the arrow keys move
 * between cards, Enter opens one, Tab goes into the one that has the focus.
 */
export function Gallery<Item>({
  label,
  items,
  idOf,
  size,
  card,
  foot = 0,
  query,
}: {
  label: string
  items: readonly Item[]
  idOf: (item: Item) => string
  /** How many there are altogether; undefined where nobody counted to the end. */
  size: number | undefined
  card: (item: Item, reachable: boolean) => ReactNode
  /** Height of what stands below each card, in pixels. */
  foot?: number
  /** What the items are pages of: the next one is read when the last rows come near. */
  query: Parameters<typeof MorePages>[0]['query']
}) {
  const list = useRef<HTMLUListElement>(null)
  const [measures, setMeasures] = useState<Measures>({ columns: 1, width: 0, top: 0 })
  const { columns, width, top } = measures
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const measure = () => setMeasures((old) => same(old, measured(element)))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    // What stands above may grow or shrink and moves the list.
    observer.observe(document.body)
    measure()
    return () => observer.disconnect()
  }, [])
  const rows = width === 0 ? 0 : Math.ceil(items.length / columns)
  const rowHeight = heightOf(width) + foot + gap
  const virtual = useWindowVirtualizer({
    count: rows,
    estimateSize: () => rowHeight,
    overscan: 2,
    scrollMargin: top,
    scrollPaddingStart: 64,
    scrollPaddingEnd: 64,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height of a row follows the width of the list
  useEffect(() => virtual.measure(), [rowHeight, virtual])
  const drawn = virtual.getVirtualItems()
  const first = (drawn[0]?.index ?? 0) * columns
  const last = Math.min(items.length, ((drawn.at(-1)?.index ?? -1) + 1) * columns)
  const [active, setActive] = useState(0)
  const stop = active >= first && active < last ? active : first
  const isNearEnd = rows > 0 && (drawn.at(-1)?.index ?? 0) >= rows - ahead
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [isNearEnd, hasNextPage, isFetchingNextPage, fetchNextPage])
  const focus = (index: number) => {
    const next = Math.max(0, Math.min(items.length - 1, index))
    setActive(next)
    virtual.scrollToIndex(Math.floor(next / columns))
    requestAnimationFrame(() =>
      list.current
        ?.querySelector<HTMLElement>(`[data-index="${next}"] [data-card]`)
        ?.focus({ preventScroll: true }),
    )
  }
  const latest = useRef({ focus, stop })
  latest.current = { focus, stop }
  useEffect(() => {
    const enter = (event: globalThis.KeyboardEvent) => {
      if (event.target !== document.body || event.metaKey || event.ctrlKey || event.altKey) return
      if (event.key === 'j' || event.key === 'k') latest.current.focus(latest.current.stop)
    }
    document.addEventListener('keydown', enter)
    return () => document.removeEventListener('keydown', enter)
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return
    const step = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const aim = stop + step
    if (aim >= 0 && aim < items.length) focus(aim)
  }
  return (
    <>
      <ul
        ref={list}
        className={`${styles.gallery} anchor`}
        style={{ height: virtual.getTotalSize() }}
        aria-label={label}
        onKeyDown={onKeyDown}
      >
        {drawn.flatMap(({ index: row, start }) =>
          items.slice(row * columns, (row + 1) * columns).map((item, column) => {
            const index = row * columns + column
            return (
              <li
                key={idOf(item)}
                data-index={index}
                aria-posinset={index + 1}
                aria-setsize={size ?? -1}
                style={{
                  width,
                  height: heightOf(width) + foot,
                  insetInlineStart: column * (width + gap),
                  transform: `translateY(${start - top}px)`,
                }}
                onFocus={() => setActive(index)}
              >
                {card(item, index === stop)}
              </li>
            )
          }),
        )}
      </ul>
      <MorePages query={query} shown={items.length} />
    </>
  )
}

function measured(element: HTMLElement): Measures {
  const { width: whole, top } = element.getBoundingClientRect()
  const columns = Math.max(2, Math.floor((whole + gap) / (leastWidth + gap)))
  return {
    columns,
    width: (whole - gap * (columns - 1)) / columns,
    top: Math.round(top + window.scrollY),
  }
}

const same = (a: Measures, b: Measures): Measures =>
  a.columns === b.columns && a.width === b.width && a.top === b.top ? a : b

/** As large as a gallery of two rows. */
export function GallerySkeleton() {
  return (
    <div className={`${styles.skeleton} tiles`} style={customProperties({ '--tile': '180px' })}>
      {Array.from({ length: 10 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Skeleton key={index} height="100%" />
      ))}
    </div>
  )
}
