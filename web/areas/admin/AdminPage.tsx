import { linkOptions, Outlet } from '@tanstack/react-router'
import { Page } from '../../ui/parts.tsx'
import { TabLinks } from '../../ui/TabLinks.tsx'

const tabs = [
  { name: 'Advertisers', link: linkOptions({ to: '/admin' }) },
  { name: 'Import', link: linkOptions({ to: '/admin/import' }) },
  { name: 'Runs', link: linkOptions({ to: '/admin/imports' }) },
  { name: 'Files', link: linkOptions({ to: '/admin/files' }) },
  { name: 'Links', link: linkOptions({ to: '/admin/links' }) },
  { name: 'Sources', link: linkOptions({ to: '/admin/sources' }) },
]

/** The admin page: imports of paid ads, links of ads to apps, and the health of sources. */
export const AdminPage = () => (
  <Page title="Admin" subtitle="Paid ads and files come in here; operators do the rest on the terminal.">
    <TabLinks label="Admin" tabs={tabs} />
    <Outlet />
  </Page>
)
