import { Empty } from '../../ui/parts.tsx'

export function MediaTab() {
  return <Empty title="Media" />
}
