import { areas } from '../../contract/contract.ts'
import type { Operation } from '../../contract/operation.ts'
import {
  addressProblems,
  bodyProblems,
  commonProblems,
  idempotencyProblems,
  keyProblems,
  mcpProblems,
  type ProblemCode,
  problems,
} from '../../contract/problems.ts'
import { page } from './page.ts'

const codes = Object.keys(problems) as ProblemCode[]

/** The page at `/docs/problems`: every code under its own anchor, in the order of their statuses. */
export const problemsPage = page({
  title: 'Problems',
  styles: ['reference.css'],
  content: `<main class="text">
<h1>Problems</h1>
<p>Every failure is an <a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457</a> problem of the media type
<code>application/problem+json</code>. Decide by <code>code</code>; <code>type</code> leads to the section below that
explains it. Quote <code>requestId</code> to the operator of this installation.</p>
<nav class="contents" aria-label="Codes">
<ul>
${codes.map((code) => `<li><a href="#${code}">${code}</a> <span class="status">${problems[code].status}</span></li>`).join('\n')}
</ul>
</nav>
${codes.map(section).join('\n')}
</main>`,
})

function section(code: ProblemCode): string {
  const { status, title, explanation } = problems[code]
  return `<section id="${code}">
<h2><a href="#${code}">${code}</a> <span class="status">${status}</span></h2>
<p class="title">${formatted(title)}</p>
<p>${formatted(explanation)}</p>
<p class="answered">Answered by ${answeredBy(code)}.</p>
</section>`
}

function answeredBy(code: ProblemCode): string {
  if (includes(commonProblems, code)) return 'any operation'
  if (includes(addressProblems, code)) return 'addresses and methods that are no operation'
  if (includes(mcpProblems, code)) return '<code>/mcp</code>'
  if (includes(keyProblems, code)) return '<code>/keys</code>'
  const rows = Object.entries(areas).flatMap(([area, { operations }]) =>
    Object.entries<Operation>(operations)
      .filter(([, row]) => row.problems.includes(code))
      .map(([tool]) => `<a href="/docs/reference#/${area}/${tool}">${tool}</a>`),
  )
  const repeats = includes(idempotencyProblems, code) ? ['any POST with <code>Idempotency-Key</code>'] : []
  const bodies = includes(bodyProblems, code) ? ['any request with a body'] : []
  return [...repeats, ...bodies, ...rows].join(', ')
}

function includes(list: readonly ProblemCode[], code: ProblemCode): boolean {
  return list.includes(code)
}

/** Texts of the contract are plain except for words in backticks. */
function formatted(text: string): string {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return safe.replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
