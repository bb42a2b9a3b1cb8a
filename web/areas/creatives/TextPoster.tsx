import { customProperties } from '../../ui/css.ts'
import styles from './creatives.module.css'

/** A creative without a picture to show: its text as a poster, in its own direction. */
export function TextPoster({
  title,
  body,
  button,
  by,
}: {
  title: string | undefined
  body: string | undefined
  button: string | undefined
  /** Whoever published it; decides the colour, so that posters of one advertiser go together. */
  by: string
}) {
  const text = [title, body].filter(Boolean).join(' ')
  // The shorter, the larger: on a wide screen, and on a phone.
  const [wide, narrow] =
    text.length < 70
      ? ['1.15rem', '1rem']
      : text.length < 180
        ? ['0.95rem', 'var(--text-s)']
        : ['var(--text-s)', 'var(--text-xs)']
  return (
    <div
      className={`${styles.poster} stack middle ink full`}
      style={customProperties({ '--tint': `var(--series-${tintOf(by)})`, '--wide': wide, '--narrow': narrow })}
    >
      {title && (
        <p className="bold clamp fixed foreign" dir="auto">
          {title}
        </p>
      )}
      {body && (
        <p className={`${styles.posterBody} clamp foreign`} dir="auto">
          {body}
        </p>
      )}
      {text === '' && <p className={`${styles.posterBody} clamp`}>No text or media collected.</p>}
      {button && (
        <span className={`${styles.posterButton} cut small medium`} dir="auto">
          <bdi>{button}</bdi>
        </span>
      )}
    </div>
  )
}

/** The same series colour for the same name, 1 to 8. */
function tintOf(name: string): number {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 8_191
  return (sum % 8) + 1
}
