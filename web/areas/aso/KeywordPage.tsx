import { Page } from '../../ui/parts.tsx'

export function KeywordPage() {
  return <Page title="Keyword">{null}</Page>
}
