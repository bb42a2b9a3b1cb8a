import { Page } from '../../ui/parts.tsx'

export function WorkstationPage() {
  return <Page title="Keywords">{null}</Page>
}
