import type { NotMeasuredReason } from '../../vocabulary/facts.ts'

/** Our symbols and their ASCII replacements. Cells are written with the symbols. */
const inAscii: Record<string, string> = {
  '–': '-',
  '…': '~',
  '▲': '+',
  '▼': '-',
  '·': '.',
  '×': 'x',
  '★': '*',
  '▁': '1',
  '▂': '2',
  '▃': '3',
  '▄': '4',
  '▅': '5',
  '▆': '6',
  '▇': '7',
  '─': '-',
  '│': '|',
  '█': '#',
  '░': '.',
  '●': '*',
  '→': '->',
  '’': "'",
}

/** Replaces our symbols by ASCII where needed. Evidence is never passed through here: it keeps its own letters. */
export function asciiIfNeeded(text: string, unicode: boolean): string {
  return unicode ? text : [...text].map((letter) => inAscii[letter] ?? letter).join('')
}

/**
 * The mark shown where there is no value: the same mark for the same reason everywhere, explained in the legend. Marks with
 * a question mark mean "not measured".
 */
export const noValueMarks: Record<string, { mark: string; words: string }> = {
  absent: { mark: '–', words: 'looked for, not there' },
  estimated: { mark: '~', words: 'made by a model, not counted' },
  beyond: { mark: '>', words: 'not among so many places looked at' },
  'never-collected': { mark: '?', words: 'nobody has looked' },
  'not-carried': { mark: '?c', words: 'the sources looked at do not carry it' },
  unreadable: { mark: '?u', words: 'a source carries it, in a form that cannot be read' },
  'no-snapshot': { mark: '?s', words: 'not captured then' },
  'partial-snapshot': { mark: '?l', words: 'only ranks of other apps are known then' },
  'hidden-upstream': { mark: '?h', words: 'hidden by the network or library' },
  'suspect-empty': { mark: '?e', words: 'the source answered empty where it had results before' },
  'source-failed': { mark: '?f', words: 'the source could not be read' },
  'outside-valid-range': { mark: '?r', words: 'the model says nothing there' },
  'too-little-evidence': { mark: '?t', words: 'too few observations to carry a number' },
  'language-not-validated': {
    mark: '?v',
    words: 'nothing found, though not shown to find nearly all in this language',
  },
  'not-configured': { mark: '?o', words: 'needs something the operator has not configured' },
  pending: { mark: '?p', words: 'being made, or about to be' },
} satisfies Record<NotMeasuredReason | 'absent' | 'beyond' | 'estimated', { mark: string; words: string }>
