/** Files that no import reads, by the bytes they begin with, and what to do with them instead. */

interface ForeignFile {
  is(head: Buffer): boolean
  reason: string
}

const begins = (...bytes: (number | string)[]) => {
  const magic = Buffer.concat(
    bytes.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.of(part))),
  )
  return (head: Buffer) => head.subarray(0, magic.length).equals(magic)
}
const isZip = begins('PK\u0003\u0004')
const holds = (head: Buffer, ...names: string[]) => names.some((name) => head.includes(name, 0, 'latin1'))

/** Bytes of the beginning of a file by which its kind is known. */
export const headBytes = 1024

/** The more special before the more general. */
const foreign: readonly ForeignFile[] = [
  {
    is: (head) => isZip(head) && holds(head, '[Content_Types].xml', '_rels/.rels', 'xl/workbook'),
    reason: 'an Excel workbook (.xlsx): save its sheet as "CSV UTF-8", and import that',
  },
  {
    is: (head) => isZip(head) && holds(head, 'vnd.oasis.opendocument', 'Index/Document.iwa', 'Index/Tables'),
    reason: 'a spreadsheet: save its sheet as CSV in UTF-8, and import that',
  },
  {
    is: (head) => isZip(head) || begins('PK\u0005\u0006')(head),
    reason:
      'a zip archive: unpack it, and import the files in it; of an export of ours posts.ndjson or ads.ndjson',
  },
  {
    is: begins(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
    reason: 'an old Excel workbook (.xls): save its sheet as "CSV UTF-8", and import that',
  },
  {
    is: begins(0xfd, '7zXZ', 0),
    reason: 'compressed by xz: unpack it with `xz -dk FILE`, and import what that makes',
  },
  {
    is: (head) => /^BZh[1-9]1AY&SY/.test(head.toString('latin1')),
    reason: 'compressed by bzip2: unpack it with `bzip2 -dk FILE`, and import what that makes',
  },
  {
    is: begins(0x04, 0x22, 0x4d, 0x18),
    reason: 'compressed by lz4: unpack it with `lz4 -dk FILE`, and import what that makes',
  },
  {
    is: (head) => begins('7z', 0xbc, 0xaf, 0x27, 0x1c)(head) || begins('Rar!', 0x1a, 0x07)(head),
    reason: 'an archive (7z or rar): unpack it, and import the files in it',
  },
  {
    is: (head) => head.subarray(257, 262).toString('latin1') === 'ustar',
    reason: 'a tar archive: unpack it with `tar -xf FILE`, and import the files in it',
  },
  {
    is: (head) => begins('PAR1')(head) || begins('ARROW1')(head) || begins('Obj', 1)(head),
    reason: 'a file of columns (Parquet, Arrow or Avro): write its rows as NDJSON or CSV, and import that',
  },
  {
    is: begins('SQLite format 3', 0),
    reason: 'an SQLite database: write the rows of its table as CSV or NDJSON, and import that',
  },
  {
    is: begins('bplist00'),
    reason: "a binary property list: it is none of the forms that are read; save the answer's JSON",
  },
  { is: begins('%PDF-'), reason: 'a PDF: its tables cannot be read; save them as CSV, and import that' },
]

/**
 * Why a file that begins like this cannot be read at all, and what to do; undefined for any other. Texts begin with none of
 * these.
 */
export const whyForeign = (head: Buffer): string | undefined => foreign.find(({ is }) => is(head))?.reason
