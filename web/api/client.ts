import { Rivalscope } from '../../src/client/client.ts'

/** The typed client of the installation that served this page, on the session of whoever is signed in. */
export const client = new Rivalscope({ server: `${location.origin}/`, session: true, retries: 2 })
