import { linkOptions, Outlet } from '@tanstack/react-router'
import { Page } from '../../ui/parts.tsx'
import { TabLinks } from '../../ui/TabLinks.tsx'

const tabs = [
  { name: 'Advertisers', link: linkOptions({ to: '/admin' }) },
  { name: 'Import', link: linkOptions({ to: '/admin/import' }) },
  { name: 'Runs', link: linkOptions({ to: '/admin/imports' }) },
  { name: 'Files', link: linkOptions({ to: '/admin/files' }) },
  { name: 'Links', link: linkOptions({ to: '/admin/links' }) },
  { name: 'Requests', link: linkOptions({ to: '/admin/requests' }) },
  { name: 'Collecting', link: linkOptions({ to: '/admin/collecting' }) },
  { name: 'Sources', link: linkOptions({ to: '/admin/sources' }) },
]

/** The admin page: imports of ads and files, links of ads to apps, requests, what is collected, and the health of sources. */
export const AdminPage = () => (
  <Page title="Admin" subtitle="How evidence comes in: ads, files, requests, collecting and sources.">
    <TabLinks label="Admin" tabs={tabs} />
    <Outlet />
  </Page>
)
