import { listingChangesFormula } from '../../domain/aso/listing/listing-timeline.ts'
import { unjudged } from '../backtest.ts'

export const listingChanges = unjudged(
  {
    model: 'listing-changes',
    formula: listingChangesFormula,
    measure: 'share of reported changes of pictures that people see as changes',
    better: 'higher',
    unit: '%',
    baseline: 'every new address of a picture is a change',
    goal: null,
    data: 'none yet',
  },
  'No changes have been judged by looking at the pictures. At least 50 judged changes are needed.',
)
