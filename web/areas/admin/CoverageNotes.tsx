import type { ReplyOf } from '../../api/operations.ts'
import { timeAgo } from '../../evidence/format.ts'
import { adPlatformInWords } from '../../evidence/words.ts'
import { Panel } from '../../ui/parts.tsx'
import styles from './admin.module.css'

type AdCoverage = ReplyOf<'admin_get_paid_ad_import'>['coverage']

/** Limitations of an ad library, in general and of this answer. */
export const CoverageNotes = ({
  coverage: { platform, newestObservationAt, notes },
}: {
  coverage: AdCoverage
}) => (
  <Panel
    title={`What ${adPlatformInWords[platform]} does not show`}
    note={newestObservationAt ? `Newest ad seen ${timeAgo(newestObservationAt)}` : 'No ads collected'}
  >
    {notes.length === 0 ? (
      <p className="quiet">No known limits.</p>
    ) : (
      <ul className={`${styles.notes} stack gap-2`}>
        {notes.map(({ code, message, since }) => (
          <li key={`${code} ${message}`}>
            {message}
            {since && <span className="quiet"> Since {timeAgo(since)}.</span>}
          </li>
        ))}
      </ul>
    )}
  </Panel>
)
