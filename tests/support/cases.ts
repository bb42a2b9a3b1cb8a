/**
 * How many cases a property is tried with that writes to a store: all of them in `npm run test:long`, a fifth in `npm test`, where
 * each run tries other ones.
 */
export const cases = (all: number): number =>
  process.env.RIVALSCOPE_TEST_ALL_CASES === '1' ? all : Math.ceil(all / 5)
