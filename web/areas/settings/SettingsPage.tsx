import { Page } from '../../ui/parts.tsx'

export function SettingsPage() {
  return <Page title="Settings">{null}</Page>
}
