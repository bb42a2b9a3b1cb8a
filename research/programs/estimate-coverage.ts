import { print, printTable } from '../../bench/figures.ts'
import { coverageOfRivals, type Setting } from './coverage-of-rivals.ts'

/**
 * How often the ranges of a calibration hold days of rivals, by what is known: own apps, days of each, and how much apps
 * differ. Made-up figures with a seed; nominal is 80 %, the goal 76 to 84 %.
 *
 *   node research/programs/estimate-coverage.ts
 */
const samples = 1_500
print(`days of rivals within the 80 % range, ${samples} times drawn, 80 days of 20 rivals each`)
const cases = {
  'of many makers': {},
  'of many makers, 1 to 400 downloads a day': { scale: [20, 400] },
  'of one maker that has nothing in common': { ofMaker: 0 },
  'of one maker that has half in common': { ofMaker: 0.5 },
} satisfies Record<string, Partial<Setting>>
printTable(
  ['own apps', 'number', 'days', 'between apps 0.35', 'between apps 0.5'],
  Object.entries(cases).flatMap(([name, setting]) =>
    [1, 2, 3, 10].flatMap((apps) =>
      [8, 90].map((days) => [
        name,
        apps,
        days,
        ...[0.35, 0.5].map((sd) => {
          const share = coverageOfRivals({
            apps,
            days,
            sd,
            samples: days === 8 ? samples : samples / 2,
            ...setting,
          })
          return `${(100 * share).toFixed(1)} %`
        }),
      ]),
    ),
  ),
)
