import type { ParsedPayload, ReadingContext } from './parsed-payload.ts'
import type { RawPayload } from './raw-payload.ts'

/** A form in which payloads come. */
export interface PayloadFormat {
  /** Whose form it is, which is the folder its parser stands in: `ads` and `posts` hold forms of several. */
  supplier: 'apple' | 'meta' | 'tiktok' | 'own' | 'ads' | 'posts'
  /** Whether a mapping can say what its fields are called. */
  isMappable: boolean
  /**
   * What the payload says, in our words. A record that cannot be read is rejected by itself.
   * @param from number of the first line or element in its file
   * @throws UnfitPayload when the payload as a whole is not what it should be, or not what was asked for
   */
  parse(payload: RawPayload, context: ReadingContext, from: number): ParsedPayload
}
