import { Page } from '../../ui/parts.tsx'

export function ComparePage() {
  return <Page title="Two days side by side">{null}</Page>
}
