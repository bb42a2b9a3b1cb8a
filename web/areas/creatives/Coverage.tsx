import type { ReplyOf } from '../../api/operations.ts'
import { momentText, timeAgo } from '../../evidence/format.ts'
import { adPlatformInWords } from '../../evidence/words.ts'
import { customProperties } from '../../ui/css.ts'
import { EyeOff } from '../../ui/icons.ts'

type AdCoverage = ReplyOf<'search_paid_ads'>['coverage'][number]

/** What the ad libraries cannot show: an empty list never proves that nothing was advertised. */
export function Coverage({ coverage }: { coverage: readonly AdCoverage[] }) {
  return (
    <details className="quiet small">
      <summary className="line medium">
        <EyeOff size={14} aria-hidden="true" /> Coverage limits
      </summary>
      <dl
        className="tiles spread gap-5 rows-2"
        style={{ ...customProperties({ '--tile': '380px' }), paddingBlockStart: 'var(--space-2)' }}
      >
        {coverage.map(({ platform, newestObservationAt, notes }) => (
          <div key={platform}>
            <dt className="ink medium">
              {adPlatformInWords[platform]}{' '}
              <span className="quiet">
                {newestObservationAt ? (
                  <time dateTime={newestObservationAt} title={momentText(newestObservationAt)}>
                    updated {timeAgo(newestObservationAt)}
                  </time>
                ) : (
                  'not collected yet'
                )}
              </span>
            </dt>
            <dd>
              {notes.length === 0 && 'No known limits.'}
              {notes.map(({ code, message, since }) => (
                <span key={`${code} ${message}`}>
                  {message}
                  {since && ` Since ${momentText(since)}.`}{' '}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
