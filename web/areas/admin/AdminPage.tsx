import { linkOptions, Outlet } from '@tanstack/react-router'
import { Page } from '../../ui/parts.tsx'
import { TabLinks } from '../../ui/TabLinks.tsx'

const tabs = [
  { name: 'Advertisers', link: linkOptions({ to: '/admin' }) },
  { name: 'Import ads', link: linkOptions({ to: '/admin/import' }) },
  { name: 'Import history', link: linkOptions({ to: '/admin/imports' }) },
  { name: 'Files', link: linkOptions({ to: '/admin/files' }) },
  { name: 'Ad links', link: linkOptions({ to: '/admin/links' }) },
  { name: 'Requests', link: linkOptions({ to: '/admin/requests' }) },
  { name: 'Collection', link: linkOptions({ to: '/admin/collecting' }) },
  { name: 'Sources', link: linkOptions({ to: '/admin/sources' }) },
]

/** The admin page: imports of ads and files, links of ads to apps, requests, what is collected, and the health of sources. */
export const AdminPage = () => (
  <Page title="Admin" subtitle="Imports, ad links, data requests, collection and sources.">
    <TabLinks label="Admin" tabs={tabs} />
    <Outlet />
  </Page>
)
