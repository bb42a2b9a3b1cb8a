import { Empty } from '../../ui/parts.tsx'

export function KeywordsTab() {
  return <Empty title="Keywords" />
}
