import { Page } from '../../ui/parts.tsx'

export function ChartPage() {
  return <Page title="Charts">{null}</Page>
}
