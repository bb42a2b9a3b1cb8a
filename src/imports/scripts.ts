import { UnfitFileError } from './json-limits.ts'

/** The beginning of a file of an archive of X: a script that assigns a list, `window.YTD.tweets.part0 = [ … ]`. */
const assignment = /^(?:\xef\xbb\xbf)?\s*(?:window\.YTD\.(\w+)\.part\d+|Grailbird\.data\.(tweets)_\w+)\s*=\s*/

/** Parts of the archive that hold posts; others hold messages, addresses and who follows whom. */
const parts = /^(?:deleted_|community_)?(?:tweets?|posts?)$/

/**
 * The bytes of a file without the assignment before its list, where it is one of an archive of X.
 * @throws UnfitFileError for a part of the archive that holds no posts
 */
export function withoutAssignment(bytes: AsyncGenerator<Buffer>, head: Buffer): AsyncGenerator<Buffer> {
  const [text, part, older] = assignment.exec(head.toString('latin1')) ?? []
  const name = part ?? older
  if (text === undefined || name === undefined) return bytes
  if (parts.test(name)) return after(bytes, text.length)
  throw new UnfitFileError(`the part "${name}" of an archive of X, which holds no posts: tweets.js does`)
}

async function* after(bytes: AsyncGenerator<Buffer>, length: number): AsyncGenerator<Buffer> {
  let left = length
  for await (const chunk of bytes) {
    const rest = chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
    if (rest.length > 0) yield rest
  }
}
