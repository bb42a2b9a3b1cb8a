import { Page } from '../../ui/parts.tsx'

export function AdsPage() {
  return <Page title="Ads">{null}</Page>
}
