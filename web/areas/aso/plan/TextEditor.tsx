import type { PlannedField } from '../../../api/listing-drafts.ts'
import { count, countWithNoun } from '../../../evidence/format.ts'
import { TextField } from '../../../ui/fields.tsx'
import styles from '../aso.module.css'
import { asOneLine, fieldInWords, limits, splitAtLimit, textLengthOf, usedLength } from './listing-text.ts'

/** One text of the listing: how much of its limit it uses, and what of it is over. */
export function TextEditor({
  field,
  text,
  hint,
  onChange,
}: {
  field: PlannedField
  text: string
  /** Why it may be empty though the listing has one. */
  hint?: string | undefined
  onChange: (text: string) => void
}) {
  const { sure, reported } = limits[field]
  const { characters, bytes, letters } = textLengthOf(text)
  const loosest = reported ?? sure
  const [taken, over] = splitAtLimit(loosest, text)
  const [fits, doubtful] = splitAtLimit(sure, taken)
  const other = sure.unit === 'characters' ? countWithNoun(bytes, 'byte') : ''
  const asPeopleSee = letters === characters ? '' : countWithNoun(letters, 'visible letter')
  return (
    <div className={`${styles.editor} stack gap-1`}>
      <TextField
        label={fieldInWords[field]}
        value={text}
        onChange={(typed) => onChange(asOneLine(field, typed))}
        isInvalid={over !== ''}
        {...(field === 'keyword-field' ? { lines: 3 } : {})}
      />
      <div className="row gap-3 rows-2 small">
        <meter
          style={{ width: 96 }}
          min={0}
          max={sure.most}
          value={Math.min(usedLength(sure, text), sure.most)}
          aria-hidden="true"
        />
        {[sure, ...(reported ? [reported] : [])].map((limit) => (
          <span key={limit.unit} className={usedLength(limit, text) <= limit.most ? '' : 'bold bad'}>
            {count(usedLength(limit, text))} of {count(limit.most)} {limit.unit}
            {reported && (limit === sure ? ' (safe limit)' : ' (reported limit)')}
          </span>
        ))}
        <span className="quiet">{[other, asPeopleSee].filter((part) => part !== '').join(', ')}</span>
      </div>
      {over + doubtful !== '' && (
        <p
          className={over === '' ? 'quiet small' : `${styles.over} small pad-2 rounded bad-fill`}
          role="status"
        >
          <strong>
            {over === ''
              ? `Accepted only if App Store Connect counts ${loosest.unit}:`
              : `${count(usedLength(loosest, text) - loosest.most)} too many:`}
          </strong>{' '}
          <span dir="auto" className="foreign">
            {over === '' ? fits : taken}
            <mark>{over === '' ? doubtful : over}</mark>
          </span>
        </p>
      )}
      {hint && <p className="quiet small">{hint}</p>}
    </div>
  )
}
