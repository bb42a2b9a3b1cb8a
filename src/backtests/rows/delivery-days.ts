import { deliveryDaysFormula } from '../../domain/paid-ads/ad.ts'
import { definition } from '../backtest.ts'

export const deliveryDays = definition(
  'delivery-days',
  deliveryDaysFormula,
  'Days from the start to the end of delivery as the library states them, both counted: nothing is estimated.',
)
