import { Page } from '../../ui/parts.tsx'

export function AppPage() {
  return <Page title="App">{null}</Page>
}
