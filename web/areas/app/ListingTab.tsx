import { Empty } from '../../ui/parts.tsx'

export function ListingTab() {
  return <Empty title="Listing" />
}
