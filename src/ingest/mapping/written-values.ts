import { parseJson } from '../json.ts'
import { unescaped } from './written-forms.ts'

/** A token of Python: a text, a name, a number or a sign. */
const token =
  /\s*(?:u?'((?:[^'\\]|\\.)*)'|u?"((?:[^"\\]|\\.)*)"|(None|True|False|null|true|false|nan|NaN)|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([[\](){},:]))/suy

const names: Readonly<Record<string, unknown>> = { True: true, true: true, False: false, false: false }
const closing: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' }

/** How lists and objects begin; a text in brackets, or one to fill in (`{{name}}`), begins otherwise. */
const opening = /^\s*(?:\[\s*(?:u?['"]|[[{\]])|\{\s*(?:u?['"]|\}))/

/** Levels of nesting; records of ads have five. */
const deepest = 20

/**
 * The list or object that a program wrote into one text, as JSON or as Python prints it: `[{'payer': 'Tides', 'current': True}]`.
 * Numbers of more digits than JavaScript holds are texts.
 * @returns undefined for a text that begins like one and does not end like one; null for any other text
 */
export function writtenValue(text: string): object | null | undefined {
  if (!opening.test(text)) return null
  try {
    const value = parseJson(text)
    return typeof value === 'object' ? value : null
  } catch {
    return pythonValue(text)
  }
}

function pythonValue(text: string): object | undefined {
  let at = 0
  const next = () => {
    token.lastIndex = at
    const found = token.exec(text)
    if (!found) throw new SyntaxError('no value')
    at = token.lastIndex
    return found
  }
  const peek = () => {
    token.lastIndex = at
    return token.exec(text)?.[5]
  }
  const read = ([, single, double, name, number, sign]: RegExpExecArray, depth: number): unknown => {
    const quoted = single ?? double
    if (quoted !== undefined) return unescaped(quoted)
    if (name !== undefined) return names[name] ?? null
    if (number !== undefined) return Number.isSafeInteger(Number(number)) ? Number(number) : number
    if (depth > deepest || sign === undefined || !(sign in closing)) throw new SyntaxError('no value')
    return sign === '{' ? objectAt(depth) : listAt(closing[sign] ?? '', depth)
  }
  const listAt = (end: string, depth: number): unknown[] => {
    const list: unknown[] = []
    while (peek() !== end) {
      list.push(read(next(), depth + 1))
      if (peek() !== end && next()[5] !== ',') throw new SyntaxError('no list')
    }
    next()
    return list
  }
  const objectAt = (depth: number): Record<string, unknown> => {
    const entries: [string, unknown][] = []
    while (peek() !== '}') {
      const key = read(next(), depth + 1)
      if (typeof key === 'object' || next()[5] !== ':') throw new SyntaxError('no object')
      entries.push([String(key), read(next(), depth + 1)])
      if (peek() !== '}' && next()[5] !== ',') throw new SyntaxError('no object')
    }
    next()
    return Object.fromEntries(entries)
  }
  try {
    const value = read(next(), 0)
    return text.slice(at).trim() === '' && typeof value === 'object' && value !== null ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
