import { Page } from '../../ui/parts.tsx'

export function AdminPage() {
  return <Page title="Admin">{null}</Page>
}
