import { spawnSync } from 'node:child_process'

/** Why a test that needs a program is skipped; false where the program is installed. */
export const lacks = (program: string): false | string =>
  spawnSync('which', [program]).status === 0 ? false : `${program} is not installed here`
