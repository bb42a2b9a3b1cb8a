import { Empty } from '../../ui/parts.tsx'

export function AdsTab() {
  return <Empty title="Ads" />
}
