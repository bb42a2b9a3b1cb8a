import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components'

/** A notice about something the user requested. */
export interface Notice {
  kind: 'done' | 'failed'
  text: string
  advice?: string | undefined
  requestId?: string | undefined
  /** A suggested next step, shown with the notice. */
  next?: { name: string; act: () => void } | undefined
  /** Undoes the action, while the notice is shown. */
  undo?: (() => void) | undefined
  /** Repeats the failed action. */
  repeat?: (() => void) | undefined
}

export const notices = new ToastQueue<Notice>({ maxVisibleToasts: 3 })

/** Failures stay until they are closed; everything else goes after some seconds. */
export function notify(notice: Notice): void {
  notices.add(notice, notice.kind === 'failed' ? {} : { timeout: notice.undo || notice.next ? 12_000 : 6_000 })
}
