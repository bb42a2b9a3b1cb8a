import { Empty } from '../../ui/parts.tsx'

export function SimilarTab() {
  return <Empty title="Similar" />
}
