import { fieldFact, notMeasured } from '../domain/facts/fact.ts'
import type { Known } from '../domain/facts/merge.ts'
import type { Fact } from '../vocabulary/facts.ts'

/** What a creative says of its language: stated by its source, or recognised here in its texts. */
export interface LanguageFields {
  language: string
  detectedLanguage: string
}

type LanguageFact = Fact<string, 'not-carried' | 'too-little-evidence'>

/**
 * What is known, with recognition as evidence of its own where the language rests on it: a `derived` entry before the
 * reading of the text, at the time and under the id of that reading.
 */
export function withDetection<Fields extends LanguageFields>(known: Known<Fields>): Known<Fields> {
  const { facts, evidence } = known
  if (isValue(facts.language) || !isValue(facts.detectedLanguage)) return known
  return {
    facts,
    evidence: evidence.flatMap((entry) => {
      if (!entry.fields.includes('detectedLanguage')) return [entry]
      const others = entry.fields.filter((field) => field !== 'detectedLanguage')
      return [
        { ...entry, source: 'derived', fields: ['detectedLanguage'] },
        { ...entry, fields: others },
      ]
    }),
  }
}

/** The language as the source states it, else as recognised; texts that tell too little leave it unmeasured. */
export function languageFact<Fields extends LanguageFields>(known: Known<Fields>): LanguageFact {
  const stated = fieldFact(known, 'language') as LanguageFact
  if (stated.state === 'measured') return stated
  const detected = fieldFact(known, 'detectedLanguage') as LanguageFact
  if (detected.state === 'measured') return detected
  return detected.state === 'absent' ? notMeasured('too-little-evidence') : stated
}

const isValue = (value: unknown) => value !== null && value !== undefined
