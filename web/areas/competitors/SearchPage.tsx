import { Page } from '../../ui/parts.tsx'

export function SearchPage() {
  return <Page title="Competitors">{null}</Page>
}
