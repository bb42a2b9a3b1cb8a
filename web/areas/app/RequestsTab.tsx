import { Empty } from '../../ui/parts.tsx'

export function RequestsTab() {
  return <Empty title="Requests" />
}
