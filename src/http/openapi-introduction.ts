/** General rules for all operations, in Markdown: the first page of the document. */
export const introduction = `**Values.** A value is *measured*, or *absent* (looked for and not there), or *not measured* (with the reason). A missing
value is never shown as zero. Facts point into a list of evidence: source, surface, country and time of observation.
Estimates are ranges made by a model and say which one.

**Reads** answer stored evidence only: no GET ever starts collecting. They carry an \`ETag\` and honour \`If-None-Match\`.

**Input** is strict: unknown parameters and properties are refused by name. Text is trimmed and NFKC-normalised;
a letter carries at most 30 combining marks. A body has at most 1 MiB, 50,000 values and 200 levels. Country
codes and other fixed words are taken in any case. A parameter that takes several values is repeated: \`?kind=a&kind=b\`.

**Lists** answer \`items\` and \`nextCursor\`; pass it as \`cursor\` for the next page and keep all other parameters.
Examples show the first two entries of most lists.

**Writes** can be repeated without harm: 201 the first time, 200 with the same resource after that, 204 for removals. Any
POST takes an \`Idempotency-Key\`. Work that takes time answers 202, and a GET shows how it goes.

**Failures** are RFC 9457 problems with a \`code\` to decide by; [all of them are explained](/docs/problems).`
