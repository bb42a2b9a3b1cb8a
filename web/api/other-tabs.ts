/** A message from one tab to the others of this browser. */
export type TabMessage =
  /** The replies of these operations, or of these reads of the pages alone, may have changed. */
  | { kind: 'changed'; tools: readonly string[] }
  /** Somebody signed in or out. */
  | { kind: 'session' }

const channel = new BroadcastChannel('rivalscope')

export function notifyOtherTabs(news: TabMessage): void {
  channel.postMessage(news)
}

/** @returns a function that stops listening */
export function listenToOtherTabs(hear: (news: TabMessage) => void): () => void {
  const onMessage = ({ data }: MessageEvent<TabMessage>) => hear(data)
  channel.addEventListener('message', onMessage)
  return () => channel.removeEventListener('message', onMessage)
}
