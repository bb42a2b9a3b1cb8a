import type { Tool } from '../../src/client/client.ts'

/** A message from one tab to the others of this browser. */
export type News =
  /** The replies of these operations may have changed. */
  | { kind: 'changed'; tools: readonly Tool[] }
  /** Somebody signed in or out. */
  | { kind: 'session' }

const channel = new BroadcastChannel('rivalscope')

export function notifyOtherTabs(news: News): void {
  channel.postMessage(news)
}

/** @returns a function that stops listening */
export function hearOtherTabs(hear: (news: News) => void): () => void {
  const onMessage = ({ data }: MessageEvent<News>) => hear(data)
  channel.addEventListener('message', onMessage)
  return () => channel.removeEventListener('message', onMessage)
}
