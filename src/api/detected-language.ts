import { fieldFact, notMeasured } from '../domain/facts/fact.ts'
import type { Known } from '../domain/facts/merge.ts'
import type { Fact } from '../vocabulary/facts.ts'

/** The language of a creative: stated by its source, or detected in its texts. */
export interface LanguageFields {
  language: string
  detectedLanguage: string
}

type LanguageFact = Fact<string, 'not-carried' | 'unreadable' | 'too-little-evidence'>

/**
 * The known fields, with an evidence entry for the detection where the language comes from it: a `derived` entry before the
 * reading of the text, with the time and id of that reading.
 */
export function withDetection<Fields extends LanguageFields>(known: Known<Fields>): Known<Fields> {
  const { facts, evidence } = known
  if (isValue(facts.language) || !isValue(facts.detectedLanguage)) return known
  return {
    ...known,
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

/** The language if its source states a readable one, otherwise the detected one; not measured where the texts are too short. */
export function languageFact<Fields extends LanguageFields>(known: Known<Fields>): LanguageFact {
  const stated = fieldFact(known, 'language') as LanguageFact
  if (stated.state === 'measured') return stated
  const detected = fieldFact(known, 'detectedLanguage') as LanguageFact
  if (detected.state === 'measured') return detected
  const isUnreadable = stated.state === 'not-measured' && stated.reason === 'unreadable'
  return detected.state === 'absent' && !isUnreadable ? notMeasured('too-little-evidence') : stated
}

const isValue = (value: unknown) => value !== null && value !== undefined
