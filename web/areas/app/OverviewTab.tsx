import { Empty } from '../../ui/parts.tsx'

export function OverviewTab() {
  return <Empty title="Overview" />
}
