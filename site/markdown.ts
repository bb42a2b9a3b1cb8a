import { dirname, join, normalize } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import type { SitePage } from './pages.ts'

/** What the service itself shows of docs/api. */
const servedElsewhere: Record<string, string> = {
  'docs/api/problems.md': '/problems',
}
/** Where the demo answers. Its pages are those of the service that serves the site. */
const demo = 'http://127.0.0.1:8787/'

/**
 * Has links of the repository lead to pages of the site: they are written for whoever reads the files. What is only in the
 * repository is named and not linked. Leaves no style in the pages, which their policy forbids.
 */
export function asOnSite(markdown: MarkdownRenderer, pages: readonly SitePage[]): void {
  const addressOf = new Map(pages.map(({ file, address }) => [file, `/${address}.md`]))
  const leadsTo = (file: string): string | undefined =>
    addressOf.get(file) ??
    addressOf.get(`${file}/README.md`) ??
    addressOf.get(pages.find((page) => page.file.startsWith(`${file}/`))?.file ?? '')

  markdown.core.ruler.push('as-on-site', ({ tokens, env }) => {
    const from = repositoryPath(env, pages)
    for (const token of tokens.flatMap((one) => [one, ...(one.children ?? [])])) {
      if (token.type === 'th_open' || token.type === 'td_open') alignByClass(token)
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      if (href === null) continue
      if (href.startsWith(demo)) {
        token.attrSet('href', `/../${href.slice(demo.length)}`)
        token.attrSet('target', '_self')
        continue
      }
      if (/^(?:[a-z]+:|[/#])/.test(href)) continue
      const [path = '', anchor] = href.split('#')
      const file = normalize(join(dirname(from), path))
      const hash = anchor === undefined ? '' : `#${anchor}`
      const elsewhere = servedElsewhere[file]
      const page = leadsTo(file)
      if (elsewhere) {
        token.attrSet('href', elsewhere + hash)
        token.attrSet('target', '_self')
      } else if (page) token.attrSet('href', page + hash)
      else {
        token.attrs = [
          ['class', 'only-in-repository'],
          ['title', `In the repository: ${file}`],
        ]
      }
    }
  })
}

/** Where the page that is rendered stands in the repository. */
function repositoryPath(env: { relativePath?: string }, pages: readonly SitePage[]): string {
  // The index of the search names the file, the page itself its address.
  const page = pages.find(({ file, address }) => [file, `${address}.md`].includes(env.relativePath ?? ''))
  if (!page) throw new Error(`No page of the site is at ${env.relativePath}`)
  return page.file
}

function alignByClass(cell: { attrs: [string, string][] | null }): void {
  cell.attrs = (cell.attrs ?? []).map(([name, value]) =>
    name === 'style'
      ? ['class', value.includes('right') ? 'end' : value.includes('center') ? 'middle' : '']
      : [name, value],
  )
}
