import { coverageOfRivals } from './coverage-of-rivals.ts'
import { print, printTable } from './figures.ts'

/**
 * How often the ranges of a calibration hold days of rivals, by what is known: own apps, days of each, and how much apps
 * differ. Made-up figures with a seed; nominal is 80 %, the goal 76 to 84 %.
 *
 *   node bench/estimate-coverage.ts
 */
const samples = 1_500
print(`days of rivals within the 80 % range, ${samples} times drawn, 80 days of 20 rivals each`)
printTable(
  ['own apps', 'days', 'between apps 0.35', 'between apps 0.5'],
  [1, 2, 3, 10].flatMap((apps) =>
    [8, 90].map((days) => [
      apps,
      days,
      ...[0.35, 0.5].map(
        (sd) =>
          `${(100 * coverageOfRivals({ apps, days, sd, samples: days === 8 ? samples : samples / 2 })).toFixed(1)} %`,
      ),
    ]),
  ),
)
