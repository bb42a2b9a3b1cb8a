import { Page } from '../../ui/parts.tsx'

export function HeatmapPage() {
  return <Page title="Heat map">{null}</Page>
}
