import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/operations.ts'
import type { SourceTrouble } from '../../evidence/shapes.ts'
import { Troubles } from '../../ui/parts.tsx'
import { useAppOfPage } from './app-of-page.ts'

/** The troubles of a tab's reply that do not stand above the tabs already. */
export function OwnTroubles({ trouble }: { trouble: readonly SourceTrouble[] }) {
  const { storeId, country } = useAppOfPage()
  const shown = useQuery(read('get_competitor', { storeId, country })).data?.trouble ?? []
  const keyOf = ({ source, surface, country: of, kind }: SourceTrouble) => `${source} ${surface} ${of} ${kind}`
  const known = new Set(shown.map(keyOf))
  return <Troubles trouble={trouble.filter((one) => !known.has(keyOf(one)))} />
}
