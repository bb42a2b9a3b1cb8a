import type { SalesDay } from '../domain/estimates/own-sales.ts'
import type { ParsedPayload, Rejection } from './parsed-payload.ts'

/** A payload of own figures, made on the last of its days. */
export function salesPayload(sales: SalesDay[], rejected: Rejection[], records: number): ParsedPayload {
  const newest = sales
    .map(({ day }) => day)
    .sort()
    .at(-1)
  return {
    source: 'own-sales',
    ...(newest ? { madeAt: new Date(newest) } : {}),
    sightings: [],
    charts: [],
    sales,
    rejected,
    records,
  }
}
