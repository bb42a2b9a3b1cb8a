import { useId, useLayoutEffect, useRef, useState } from 'react'
import { Button } from './Button.tsx'
import styles from './LongText.module.css'

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
        className={`foreign ${styles.text} ${open ? '' : styles.cut}`}
        style={{ WebkitLineClamp: lines }}
      >
        {text}
      </p>
      {(isCut || open) && (
        <div className={styles.more} data-screen-only>
          <Button small look="bare" aria-expanded={open} aria-controls={id} onPress={() => setOpen(!open)}>
            {open ? 'Show less' : `Show all of ${name}`}
          </Button>
        </div>
      )}
    </div>
  )
}
