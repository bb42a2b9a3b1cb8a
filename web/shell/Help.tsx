import { timeZone } from '../evidence/format.ts'
import { customProperties } from '../ui/css.ts'
import { Dialog } from '../ui/overlays.tsx'
import { shortcuts } from './shortcuts.ts'

const names = customProperties({ '--names': '8rem' })

/** The way to the guide, the keyboard shortcuts, and how values are shown. */
export default function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Help" open onOpenChange={(open) => !open && onClose()}>
      <p>
        <a href="/docs/using-the-pages" target="_blank" rel="noreferrer">
          Using the pages
        </a>
        , a guide to each of them with pictures
      </p>
      <h3>Keyboard shortcuts</h3>
      <dl className="pairs stack gap-2" style={names}>
        {shortcuts.map(({ keys, does }) => (
          <div key={keys}>
            <dt className="ink">
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <h3>How values are shown</h3>
      <dl className="pairs stack gap-2" style={names}>
        <div>
          <dt className="ink">12</dt>
          <dd>A value. Hover over it or focus it to see its source, storefront and date.</dd>
        </div>
        <div>
          <dt className="ink">∅ none</dt>
          <dd>Checked, none found.</dd>
        </div>
        <div>
          <dt className="ink">∅ &gt;200</dt>
          <dd>Not in the top 200, as far as ranks were read.</dd>
        </div>
        <div>
          <dt className="ink">
            <em>not collected</em>
          </dt>
          <dd>No data, with the reason. Never shown as zero.</dd>
        </div>
        <div>
          <dt className="ink">14:05</dt>
          <dd>
            Times are in the time zone of this browser, {timeZone}. Days of charts are those of the storefront,
            other days are UTC.
          </dd>
        </div>
      </dl>
    </Dialog>
  )
}
