import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { type OwnTextField, ownTexts } from '../vocabulary/own-listing.ts'

/**
 * Texts of a listing as the `metadata` folder of fastlane's deliver, zipped: a file for each text, `metadata/en-US/name.txt`. A text that is not
 * named has no file, so that it stays as it is in the store.
 * @param texts by localization and field
 * @param changedAt the time of its files
 */
export function listingFolder(
  texts: Readonly<Record<string, Partial<Record<OwnTextField, string>>>>,
  changedAt: Date,
): Readable {
  const zip = new ZipFile()
  for (const [localization, fields] of Object.entries(texts))
    for (const [field, text] of Object.entries(fields))
      zip.addBuffer(Buffer.from(text), `metadata/${localization}/${ownTexts[field as OwnTextField].file}.txt`, {
        mtime: changedAt,
      })
  zip.end()
  return zip.outputStream as Readable
}
