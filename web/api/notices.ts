import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components'

/** Something a person should know about what they asked for. */
export interface Notice {
  kind: 'done' | 'failed'
  text: string
  advice?: string | undefined
  requestId?: string | undefined
  /** What may come next, while the notice stands. */
  next?: { name: string; act: () => void } | undefined
  /** Takes back what was done, while the notice stands. */
  undo?: (() => void) | undefined
  /** Does once more what failed. */
  repeat?: (() => void) | undefined
}

export const notices = new ToastQueue<Notice>({ maxVisibleToasts: 3 })

/** Failures stay until they are closed; everything else goes after some seconds. */
export function notify(notice: Notice): void {
  notices.add(notice, notice.kind === 'failed' ? {} : { timeout: notice.undo || notice.next ? 12_000 : 6_000 })
}
