import type { Example, Operation } from '../contract/operation.ts'

export interface CodeSample {
  lang: 'Shell' | 'TypeScript'
  label: string
  source: string
}

/** The example call of an operation, from a terminal and in a program. Both take server and key from the environment. */
export function samplesOf(tool: string, row: Operation): CodeSample[] {
  return [
    { lang: 'Shell', label: 'curl', source: curlOf(row) },
    { lang: 'TypeScript', label: 'rivalscope/client', source: clientCallOf(tool, row.example) },
  ]
}

function curlOf({ method, path, example: { params = {}, query = {}, body } }: Operation): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
  )
  const search = pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$RIVALSCOPE_SERVER${filled}${search}"`,
    '  -H "Authorization: Bearer $RIVALSCOPE_KEY"',
  ]
  if (body) {
    lines.push("  -H 'Content-Type: application/json'")
    lines.push(`  -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`)
  }
  return lines.join(' \\\n')
}

function clientCallOf(tool: string, { params, query, body }: Example): string {
  const method = tool.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const given = { ...params, ...query, ...body }
  return `import { Rivalscope } from 'rivalscope/client'

const rivalscope = new Rivalscope({
  server: process.env.RIVALSCOPE_SERVER ?? 'http://127.0.0.1:8787',
  key: process.env.RIVALSCOPE_KEY ?? '',
})
console.log(await rivalscope.${method}(${Object.keys(given).length === 0 ? '' : literal(given)}))`
}

/** A value as a TypeScript literal. */
function literal(value: unknown, indent = ''): string {
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, indent)).join(', ')}]`
  if (typeof value === 'string' && !/['\\\n]/.test(value)) return `'${value}'`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const within = `${indent}  `
  const lines = Object.entries(value).map(([name, one]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
    return `${within}${key}: ${literal(one, within)},\n`
  })
  return `{\n${lines.join('')}${indent}}`
}
