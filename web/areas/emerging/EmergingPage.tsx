import { Page } from '../../ui/parts.tsx'

export function EmergingPage() {
  return <Page title="Emerging">{null}</Page>
}
