/**
 * Number of cases for a property that writes to a store: all of them with `npm test -- --all-cases`, as `npm run test:all` runs it,
 * and in the long tests, a fifth otherwise, with other cases in each run.
 */
export const cases = (all: number): number =>
  process.env.RIVALSCOPE_TEST_ALL_CASES === '1' ? all : Math.ceil(all / 5)
