import type { WorkState } from './shapes.ts'

/** Whether work goes on: it is queued or running. None at all does not. */
export const isUnderWay = (work: Pick<WorkState, 'status'> | null | undefined): boolean =>
  work?.status === 'queued' || work?.status === 'running'
