import { Empty } from '../../ui/parts.tsx'

export function OrganicTab() {
  return <Empty title="Organic" />
}
