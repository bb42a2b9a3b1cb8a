import { addApp, addAppSubject } from '../../domain/add-app/add-app.ts'
import { discoverEmerging, discovery, type RequestToAddApp } from '../../domain/emerging/discovery.ts'
import { askForWorkWithin, recordRequester } from '../../domain/work/ask-for-work.ts'
import { queues, workJobKind } from '../job-kind.ts'
import { enqueueOn, type JobQueue } from '../queue.ts'

export const emergingDiscoveryJob = workJobKind({
  work: discovery,
  does: 'looks through stored charts for apps that are new or moved up, and takes in those the catalogue does not hold',
  queue: queues.work,
  atATime: 1,
  addDue: null,
  perform: ({ db, queue }) => discoverEmerging(db, takeInOn(queue), () => new Date()),
})

const takeInOn =
  (queue: JobQueue): RequestToAddApp =>
  async (transaction, storeId, country) => {
    const input = { storeId, bundleId: null, country }
    const asked = { kind: addApp, subject: addAppSubject(storeId, country), input }
    const { workId } = await askForWorkWithin(transaction, enqueueOn(queue), asked)
    // A run is visible to all accounts, and so are the apps it adds.
    await recordRequester(transaction, workId, { accountId: null })
  }
