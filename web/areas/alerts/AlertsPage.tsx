import { linkOptions, Outlet } from '@tanstack/react-router'
import { Page } from '../../ui/parts.tsx'
import { TabLinks } from '../../ui/TabLinks.tsx'

const tabs = [
  { name: 'Watches', link: linkOptions({ to: '/alerts' }) },
  { name: 'Channels', link: linkOptions({ to: '/alerts/channels' }) },
  { name: 'History', link: linkOptions({ to: '/alerts/history' }) },
  { name: 'Weekly report', link: linkOptions({ to: '/alerts/report' }) },
]

/** What the account watches, how it is told, what it was told, and its weekly report. */
export const AlertsPage = () => (
  <Page title="Alerts" subtitle="Changes found in newly collected data. Watches do not start collection.">
    <TabLinks label="Alerts" tabs={tabs} />
    <Outlet />
  </Page>
)
