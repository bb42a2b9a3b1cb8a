import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'

/** Attributes and keys whose strings are for programs. */
const forPrograms =
  /^(?:className|type|role|to|href|id|key|style|rel|target|accept|file|queryKey|d|src|sandbox|width|columns)$/
const isOfStyle = (text: string) => /\d(?:px|rem)\b|var\(--|\(prefers-|\bnowrap\b|^min(?:max)?\(/.test(text)
/** A sentence, or a word that begins like one. */
const reads = (text: string) =>
  !isOfStyle(text) && (/[a-z,;:] ["“(a-zA-Z0-9{]/.test(text) || /^[A-Z][a-z]+(?:[ .:…!?]|$)/.test(text))

/**
 * Every text of the pages in one list, in the order of their files, for who reads, judges or translates them: texts stand in the
 * markup that shows them (docs/decisions/0122-texts-of-the-pages.md). What is put into a text stands in braces.
 */
export function textsMarkdown(): string {
  const sections = globSync('web/**/*.{ts,tsx}', {
    exclude: ['web/**/*.test.ts', 'web/dist/**', 'web/vite*.ts'],
  })
    .sort()
    .flatMap((file) => {
      const texts = textsOf(file, readFileSync(file, 'utf8'))
      return texts.length === 0 ? [] : [`## ${file}\n\n${texts.map((text) => `- ${text}\n`).join('')}`]
    })
  return [
    '<!-- Written from the sources of the pages by `npm run record -- reference`. -->',
    '',
    '# Texts of the pages',
    '',
    ...sections,
  ].join('\n')
}

function textsOf(file: string, source: string): string[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const texts = new Set<string>()
  const add = (text: string) => {
    const one = text.replace(/\s+/g, ' ').trim()
    if (/[a-zA-Z]{2}/.test(one.replaceAll(/\{[^}]*\}/g, ''))) texts.add(one)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
      if (hasText(node) && !isInText(node)) add(textOfChildren(node))
    } else if (ts.isTemplateExpression(node)) {
      const text = textOfTemplate(node)
      if (!isForPrograms(node) && reads(text)) add(text)
    } else if (ts.isStringLiteralLike(node) && !isForPrograms(node) && (reads(node.text) || isShown(node)))
      add(node.text)
    ts.forEachChild(node, visit)
  }
  visit(parsed)
  return [...texts]
}

const hasText = (node: ts.JsxElement | ts.JsxFragment): boolean =>
  node.children.some((child) => ts.isJsxText(child) && /[a-zA-Z]/.test(child.text))

/** Whether an element stands among the words of another one, with which it is read. */
const isInText = ({ parent }: ts.Node): boolean =>
  (ts.isJsxElement(parent) || ts.isJsxFragment(parent)) && (hasText(parent) || isInText(parent))

const textOfChildren = ({ children }: ts.JsxElement | ts.JsxFragment): string =>
  children.map((child) => textOfChild(child)).join('')

function textOfChild(child: ts.JsxChild): string {
  // JSX drops a line's end with the spaces around it.
  if (ts.isJsxText(child)) return child.text.replaceAll(/^\s*\n\s*|\s*\n\s*$/g, '')
  if (ts.isJsxElement(child) || ts.isJsxFragment(child)) return textOfChildren(child)
  if (ts.isJsxExpression(child) && child.expression) return textOfValue(child.expression)
  return ''
}

function textOfValue(value: ts.Expression): string {
  if (ts.isStringLiteralLike(value)) return value.text
  if (ts.isTemplateExpression(value)) return textOfTemplate(value)
  return `{${nameOf(value)}}`
}

const textOfTemplate = ({ head, templateSpans }: ts.TemplateExpression): string =>
  head.text + templateSpans.map(({ expression, literal }) => textOfValue(expression) + literal.text).join('')

/** What a value is, in a word: its own name, or that of what is made of it. */
function nameOf(value: ts.Expression): string {
  if (ts.isIdentifier(value)) return value.text
  if (ts.isPropertyAccessExpression(value)) return value.name.text
  if (ts.isCallExpression(value))
    return value.arguments[0] ? nameOf(value.arguments[0]) : nameOf(value.expression)
  return '…'
}

/** Whether a string is compared, looked up, or stands where programs read it. */
function isForPrograms(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isBinaryExpression(parent)) return /^(?:[!=]==|in)$/.test(parent.operatorToken.getText())
  if (ts.isCaseClause(parent) || ts.isElementAccessExpression(parent) || ts.isExportDeclaration(parent))
    return true
  if (ts.isPropertyAssignment(parent) && parent.name === node) return true
  for (let up = parent; up; up = up.parent) {
    if (ts.isJsxAttribute(up)) return forPrograms.test(up.name.getText())
    if (ts.isPropertyAssignment(up)) return forPrograms.test(up.name.getText())
    if (ts.isStatement(up) || (ts.isJsxExpression(up) && !ts.isJsxAttribute(up.parent))) return false
  }
  return false
}

/** Whether a word is what an expression among the children of an element comes to. */
function isShown(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isConditionalExpression(parent)) return node !== parent.condition && isShown(parent)
  if (ts.isBinaryExpression(parent) || ts.isParenthesizedExpression(parent)) return isShown(parent)
  return ts.isJsxExpression(parent) && !ts.isJsxAttribute(parent.parent)
}
