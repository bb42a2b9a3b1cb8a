import { Asked, askedName, performAsked } from '../collecting/asked.ts'
import { isSuspectOutcome } from '../collecting/outcome.ts'
import { jobKind, queues } from '../job-kind.ts'
import { askAgainLater } from './collect-term.ts'

export const collectAskedJob = jobKind({
  name: 'collect-asked',
  does: 'makes one request that an operator asked for on the pages, as `collect` does at once',
  input: Asked,
  queue: queues.scheduled,
  atATime: 4,
  addDue: null,
  perform:
    ({ db, queue, collector }) =>
    async (asked, signal) => {
      const { outcome, message } = await performAsked(db, collector, asked, signal)
      if ('term' in asked && isSuspectOutcome(outcome))
        await askAgainLater(db, queue, [{ surface: asked.what, term: asked.term, country: asked.country }])
      return { asked: askedName(asked), ...(message === null ? {} : { reason: message }), outcome }
    },
})
