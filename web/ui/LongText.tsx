import { useId, useLayoutEffect, useRef, useState } from 'react'
import { Button } from './Button.tsx'
import styles from './parts.module.css'

/** A text of strangers as it was written, cut after some lines until all of it is asked for. */
export function LongText({ text, name, lines = 8 }: { text: string; name: string; lines?: number }) {
  const [open, setOpen] = useState(false)
  const [isCut, setIsCut] = useState(false)
  const body = useRef<HTMLParagraphElement>(null)
  const id = useId()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text may fit
  useLayoutEffect(() => {
    const element = body.current
    if (element && !open) setIsCut(element.scrollHeight > element.clientHeight + 1)
  }, [text, open])
  return (
    <div>
      <p
        ref={body}
        id={id}
        dir="auto"
        className={`foreign ${open ? '' : `clamp ${styles.cut}`}`}
        style={{ maxWidth: '75ch', whiteSpace: 'pre-line', WebkitLineClamp: lines }}
      >
        {text}
      </p>
      {/* Its words begin where those of the text do. */}
      {(isCut || open) && (
        <div style={{ marginInlineStart: 'calc(-1 * var(--space-2))' }} data-screen-only>
          <Button small look="bare" aria-expanded={open} aria-controls={id} onPress={() => setOpen(!open)}>
            {open ? 'Show less' : `Show all of ${name}`}
          </Button>
        </div>
      )}
    </div>
  )
}
