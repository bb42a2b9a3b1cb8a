import { Page } from '../../ui/parts.tsx'

export function AuditPage() {
  return <Page title="Audit">{null}</Page>
}
