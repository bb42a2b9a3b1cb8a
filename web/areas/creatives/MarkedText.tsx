import { Fragment } from 'react'
import styles from './ad.module.css'
import { type Range, spansOf } from './quotes.ts'

/** A stranger's text with the words marked that statements rest on; those of the statement in focus stand out. */
export function MarkedText({
  text,
  ranges,
  hot,
}: {
  text: string
  ranges: readonly Range[]
  /** Id of the statement that is pointed at. */
  hot: string | undefined
}) {
  return spansOf(text, ranges).map(({ from, text: words, ids }) =>
    ids.length === 0 ? (
      <Fragment key={from}>{words}</Fragment>
    ) : (
      <mark
        key={from}
        className={`${styles.mark} ${hot !== undefined && ids.includes(hot) ? styles.hot : ''}`}
        data-quotes={ids.join(' ')}
      >
        {words}
      </mark>
    ),
  )
}
