import type { Example } from '../operation.ts'
import { trackedAppExamples } from './aso-apps.ts'
import { keywordExplorationExamples } from './keyword-exploration.ts'

export { competitorAsoReply } from './competitor-aso.ts'

export const asoExamples = {
  ...trackedAppExamples,
  ...keywordExplorationExamples,
} as const satisfies Record<string, Example>
