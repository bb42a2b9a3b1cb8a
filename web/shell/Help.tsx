import { timeZone } from '../evidence/format.ts'
import { customProperties } from '../ui/css.ts'
import { Dialog } from '../ui/overlays.tsx'
import { shortcuts } from './shortcuts.ts'

const names = customProperties({ '--names': '8rem' })

/** The keyboard shortcuts, and how values are shown. */
export default function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" open onOpenChange={(open) => !open && onClose()}>
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
          <dd>Measured. Hover or focus it to see its source, storefront and time.</dd>
        </div>
        <div>
          <dt className="ink">∅ none</dt>
          <dd>Looked for and not there.</dd>
        </div>
        <div>
          <dt className="ink">
            <em>not collected</em>
          </dt>
          <dd>Not measured, with the reason. Never a zero.</dd>
        </div>
        <div>
          <dt className="ink">10:32</dt>
          <dd>
            In the time zone of this browser, {timeZone}. Days without a time are of the storefront in charts,
            of UTC elsewhere.
          </dd>
        </div>
      </dl>
    </Dialog>
  )
}
