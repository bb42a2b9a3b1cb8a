import { css } from '../../ui/css.ts'
import { Page } from '../../ui/parts.tsx'
import { AboutYou } from './AboutYou.tsx'
import { Doors } from './Doors.tsx'
import { Looks } from './Looks.tsx'
import { Sessions } from './Sessions.tsx'

/** Who is signed in and where, how pages look, and the other ways to the same evidence. */
export function SettingsPage() {
  return (
    <Page title="Settings">
      <div className="tiles spread top gap-4" style={css({ '--tile': '440px' })}>
        <div className="stack gap-4 shrinks">
          <AboutYou />
          <Sessions />
        </div>
        <div className="stack gap-4 shrinks">
          <Looks />
          <Doors />
        </div>
      </div>
    </Page>
  )
}
