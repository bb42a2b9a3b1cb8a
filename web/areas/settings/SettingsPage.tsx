import { Page } from '../../ui/parts.tsx'
import { AboutYou } from './AboutYou.tsx'
import { Doors } from './Doors.tsx'
import { Looks } from './Looks.tsx'
import { Sessions } from './Sessions.tsx'
import styles from './settings.module.css'

/** Who is signed in and where, how pages look, and the other ways to the same evidence. */
export function SettingsPage() {
  return (
    <Page title="Settings">
      <div className={styles.columns}>
        <div className={styles.column}>
          <AboutYou />
          <Sessions />
        </div>
        <div className={styles.column}>
          <Looks />
          <Doors />
        </div>
      </div>
    </Page>
  )
}
