import type { z } from 'zod'
import type { ListingAudit, ListingTextUse } from '../contract/shapes/listing-audit.ts'
import type { ListingAudit as Audit } from '../domain/aso/listing/audit.ts'
import type { AuditedText } from '../domain/aso/listing/audited-text.ts'
import { tellingFormula } from '../domain/aso/scores/telling.ts'
import { fieldFact, notMeasured } from '../domain/facts/fact.ts'
import { score100 } from './aso-facts.ts'
import type { KnownRecord } from './listing-facts.ts'

/** An audit in the form of replies; its facts refer to the evidence of the record. */
export function auditShape(
  record: KnownRecord,
  { language, texts, advice }: Audit,
): z.output<typeof ListingAudit> {
  return { language: language ?? null, texts: texts.map((text) => textUse(record, text)), advice }
}

const stored = {
  name: 'name',
  subtitle: 'subtitle',
  description: 'description',
  'release-notes': 'releaseNotes',
} as const

function textUse(
  record: KnownRecord,
  { field, limits, searched, terms }: AuditedText,
): z.output<typeof ListingTextUse> {
  const fact = <V>(shape: (text: string) => V) => {
    if (field === 'keyword-field') return notMeasured('hidden-upstream')
    if (field === 'promotional-text') return notMeasured('not-carried')
    return fieldFact(record, stored[field], (text) => (text === '' ? null : shape(text)))
  }
  return {
    field,
    text: fact((text) => text),
    characters: fact((text) => [...text].length),
    limit: limits[0].most,
    limits: [...limits],
    searched,
    terms: terms.map(({ term, count, telling }) => ({
      term,
      count,
      telling: score100(telling, tellingFormula),
    })),
  }
}
