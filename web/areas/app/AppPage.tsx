import { Outlet } from '@tanstack/react-router'
import { Page } from '../../ui/parts.tsx'

export function AppPage() {
  return (
    <Page title="App">
      <Outlet />
    </Page>
  )
}
