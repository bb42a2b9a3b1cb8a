import { Empty } from '../../ui/parts.tsx'

export function RanksTab() {
  return <Empty title="Ranks" />
}
