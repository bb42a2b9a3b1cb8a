import { Empty } from '../../ui/parts.tsx'

export function EstimatesTab() {
  return <Empty title="Estimates" />
}
