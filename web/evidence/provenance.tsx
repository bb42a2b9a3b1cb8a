import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { Tooltip, TooltipTrigger } from 'react-aria-components'
import { momentText } from './format.ts'
import { formulaInWords } from './formula.ts'
import type { Evidence, SeriesSource } from './shapes.ts'
import { originInWords, timeBasisInWords } from './words.ts'

/**
 * What stands behind a number is shown by one tooltip for the whole page: a table of thousands of numbers needs no tooltip
 * for each. An element that has something to tell says so with `useProvenance`.
 */
const told = new WeakMap<Element, () => ReactNode>()

/** Inside a table the values are reached with the arrow keys, and are no stops of the Tab key. */
export const ProvenanceTabStop = createContext(0)

/** Milliseconds the pointer rests on an element, or the page lies still, before it is told. */
const rest = 180

/** Attributes for an element whose provenance is told on hover and focus. */
export function useProvenance(tell: () => ReactNode) {
  const latest = useRef(tell)
  latest.current = tell
  const ref = useCallback((element: Element | null) => {
    if (element) told.set(element, () => latest.current())
  }, [])
  return { ref, 'data-provenance': '', tabIndex: useContext(ProvenanceTabStop) } as const
}

/** As `told`, by an element around many: the cells of a map of thousands need nothing of their own but `data-provenance`. */
const toldAround = new WeakMap<Element, (part: Element) => ReactNode>()

/** Attributes for an element that tells the provenance of all parts in it that have `data-provenance`. */
export function useProvenanceOfParts(tell: (part: Element) => ReactNode) {
  const latest = useRef(tell)
  latest.current = tell
  const ref = useCallback((element: Element | null) => {
    if (element) toldAround.set(element, (part) => latest.current(part))
  }, [])
  return { ref, 'data-provenance-of-parts': '' } as const
}

function tellerOf(element: Element): (() => ReactNode) | undefined {
  const around = element.closest('[data-provenance-of-parts]')
  const tell = around ? toldAround.get(around) : undefined
  return told.get(element) ?? (tell && (() => tell(element)))
}

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}

/** The one tooltip. Stands once in the shell. */
export function ProvenanceLayer() {
  const [shown, setShown] = useState<{ element: Element; content: ReactNode }>()
  const trigger = useRef<Element>(null)
  const tooltip = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const tell = (element: Element | null | undefined) => {
      const tellIt = element && tellerOf(element)
      trigger.current = element ?? null
      setShown(element?.isConnected && tellIt ? { element, content: tellIt() } : undefined)
    }
    const show = (event: Event) => {
      const element = (event.target as Element | null)?.closest?.('[data-provenance]') ?? null
      clearTimeout(timer)
      if (!element) return setShown(undefined)
      // Focus by the mouse shows nothing at once: the pointer rests there anyway.
      timer = setTimeout(() => tell(element), event.type === 'focusin' ? 0 : rest)
    }
    const hide = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key !== 'Escape') return
      clearTimeout(timer)
      setShown(undefined)
    }
    // A page also scrolls where something above grows, and where the focus goes beyond its edge: what is pointed at or
    // focused once it lies still is told again.
    const scrolled = (event: Event) => {
      hide(event)
      const resting = '[data-provenance]:is(:hover, :focus-visible)'
      timer = setTimeout(() => tell([...document.querySelectorAll(resting)].findLast(isInView)), rest)
    }
    document.addEventListener('pointerover', show)
    document.addEventListener('focusin', show)
    document.addEventListener('keydown', hide)
    document.addEventListener('scroll', scrolled, { capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      document.removeEventListener('pointerover', show)
      document.removeEventListener('focusin', show)
      document.removeEventListener('keydown', hide)
      document.removeEventListener('scroll', scrolled, { capture: true })
    }
  }, [])
  useEffect(() => {
    const id = tooltip.current?.id
    if (!shown || !id) return
    shown.element.setAttribute('aria-describedby', id)
    return () => shown.element.removeAttribute('aria-describedby')
  }, [shown])
  return (
    // Without a trigger around it the library has no state for a tooltip, and fails.
    <TooltipTrigger isOpen={shown !== undefined}>
      <Tooltip
        ref={tooltip}
        triggerRef={trigger}
        placement="bottom"
        offset={6}
        className="raised pad-2-3 small"
        style={{ maxWidth: 320 }}
      >
        {shown?.content}
      </Tooltip>
    </TooltipTrigger>
  )
}

/** Lines that tell where something comes from: source, surface, storefront, time, basis of the time, who brought it. */
export function EvidenceLines({
  evidence,
  observedAt,
  formula,
}: {
  evidence: Evidence | SeriesSource | undefined
  /** For points of a series, whose source has no time of its own. */
  observedAt?: string | undefined
  /** The formula of a computed number. */
  formula?: string | undefined
}) {
  const at = observedAt ?? (evidence && 'observedAt' in evidence ? evidence.observedAt : undefined)
  const broughtBy = evidence && 'broughtBy' in evidence ? evidence.broughtBy : undefined
  return (
    <dl className="pairs narrow">
      {evidence && <Line name="Source">{`${evidence.surface} (${evidence.source})`}</Line>}
      {evidence && (
        <Line name="Storefront">{evidence.country ? evidence.country.toUpperCase() : 'not specific'}</Line>
      )}
      {at && <Line name="As of">{momentText(at)}</Line>}
      {evidence && <Line name="Date based on">{timeBasisInWords[evidence.timeBasis]}</Line>}
      {evidence && <Line name="Origin">{originInWords[evidence.origin]}</Line>}
      {broughtBy && (
        <Line name="Added by">
          {broughtBy.account === 'own' ? 'your account' : 'another account'}, not from a source
        </Line>
      )}
      {formula && <FormulaLines formula={formula} />}
    </dl>
  )
}

/** The formula of a number, and what its brackets say in sentences. */
export function FormulaLines({ formula }: { formula: string }) {
  const { name, notes } = formulaInWords(formula)
  return (
    <>
      <Line name="Formula">{name}</Line>
      {notes.length > 0 && <Line name="Note">{notes.join(' ')}</Line>}
    </>
  )
}

export function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
