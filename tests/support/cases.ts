/**
 * Number of cases for a property that writes to a store: all of them in `npm run test:long`, a fifth in `npm test`, with
 * other cases in each run.
 */
export const cases = (all: number): number =>
  process.env.RIVALSCOPE_TEST_ALL_CASES === '1' ? all : Math.ceil(all / 5)
