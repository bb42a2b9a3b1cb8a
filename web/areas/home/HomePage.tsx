import { Page } from '../../ui/parts.tsx'

export function HomePage() {
  return <Page title="Home">{null}</Page>
}
