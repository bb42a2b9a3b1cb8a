import { Page } from '../../ui/parts.tsx'

export function GapPage() {
  return <Page title="Gap">{null}</Page>
}
