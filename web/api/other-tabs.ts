import type { Tool } from '../../src/client/client.ts'

/** What one tab tells the others of this browser. */
export type News =
  /** Replies of these operations may be others now. */
  | { kind: 'changed'; tools: readonly Tool[] }
  /** Somebody signed in or out. */
  | { kind: 'session' }

const channel = new BroadcastChannel('rivalscope')

export function tellOtherTabs(news: News): void {
  channel.postMessage(news)
}

/** @returns what ends the listening */
export function hearOtherTabs(hear: (news: News) => void): () => void {
  const onMessage = ({ data }: MessageEvent<News>) => hear(data)
  channel.addEventListener('message', onMessage)
  return () => channel.removeEventListener('message', onMessage)
}
