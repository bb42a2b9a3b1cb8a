import { Page } from '../../ui/parts.tsx'

export function TrackedAppsPage() {
  return <Page title="ASO">{null}</Page>
}
