import { count, counted } from '../../../evidence/format.ts'
import { TextField } from '../../../ui/fields.tsx'
import styles from './audit.module.css'
import { type ListingField, lengthOf, limits, splitAtLimit, usedOf } from './listing-text.ts'

const fieldInWords: Record<ListingField, string> = {
  name: 'Name',
  subtitle: 'Subtitle',
  keywords: 'Keyword field',
}

/** One text of the listing: how much of its limit it uses, and what of it is over. */
export function TextEditor({
  field,
  text,
  hint,
  onChange,
}: {
  field: ListingField
  text: string
  /** Why it may be empty though the listing has one. */
  hint?: string | undefined
  onChange: (text: string) => void
}) {
  const { most, unit } = limits[field]
  const { characters, bytes, letters } = lengthOf(text)
  const used = usedOf(field, text)
  const [fits, over] = splitAtLimit(field, text)
  const other = unit === 'characters' ? counted(bytes, 'byte') : counted(characters, 'character')
  return (
    <div className={styles.editor}>
      <TextField
        label={fieldInWords[field]}
        value={text}
        onChange={onChange}
        isInvalid={over !== ''}
        {...(field === 'keywords' ? { lines: 3 } : {})}
      />
      <div className={styles.counts}>
        <meter min={0} max={most} value={Math.min(used, most)} aria-hidden="true" />
        <span className={over === '' ? '' : styles.overCount}>
          {count(used)} of {count(most)} {unit}
        </span>
        <span className="quiet">
          {other}
          {letters !== characters && `, ${counted(letters, 'letter')} as people see them`}
        </span>
      </div>
      {over !== '' && (
        <p className={styles.over} role="status">
          <strong>{count(used - most)} too many:</strong>{' '}
          <span dir="auto" className="foreign">
            {fits}
            <mark>{over}</mark>
          </span>
        </p>
      )}
      {hint && <p className={styles.hint}>{hint}</p>}
    </div>
  )
}
