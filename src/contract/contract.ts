import { aso } from './aso.ts'
import { charts } from './charts.ts'
import { competitors } from './competitors.ts'
import type { Contract } from './operation.ts'
import { organic } from './organic.ts'
import { paidAds } from './paid-ads.ts'

/** The operations by area, in the order the reference shows them. */
export const areas = {
  competitors: { title: 'Competitors', operations: competitors },
  charts: { title: 'Charts', operations: charts },
  organic: { title: 'Organic content', operations: organic },
  'paid-ads': { title: 'Paid ads', operations: paidAds },
  aso: { title: 'ASO workstation', operations: aso },
} as const satisfies Record<string, { title: string; operations: Contract }>

/** All 45 operations by tool name. This table is the authority; every door follows from it. */
export const contract = { ...competitors, ...charts, ...organic, ...paidAds, ...aso } as const satisfies Contract

export type Tool = keyof typeof contract
