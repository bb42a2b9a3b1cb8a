import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { asOnSite } from '../markdown.ts'
import { pagesOfSite, sidebars } from '../pages.ts'

/** The sign of the workstation: its page holds it. */
const icon = /<link rel="icon" href="([^"]+)"/.exec(
  readFileSync(new URL('../../web/index.html', import.meta.url), 'utf8'),
)?.[1]
const repository = fileURLToPath(new URL('../..', import.meta.url))
const pages = pagesOfSite(repository)
const { resolve } = createRequire(import.meta.url)

export default defineConfig({
  title: 'Rivalscope',
  description: 'Competitive research for mobile apps that you run yourself.',
  lang: 'en',
  base: '/docs/',
  srcDir: repository,
  srcExclude: globSync(['*.md', '*/**/*.md'], { cwd: repository, exclude: ['**/node_modules', 'dist'] }).filter(
    (file) => !pages.some((page) => page.file === file),
  ),
  outDir: fileURLToPath(new URL('../../dist/docs', import.meta.url)),
  // Beside the viewer of the reference, whose files are at /docs/assets.
  assetsDir: 'site',
  cacheDir: fileURLToPath(new URL('../../node_modules/.cache/vitepress', import.meta.url)),
  rewrites: Object.fromEntries(pages.map(({ file, address }) => [file, `${address}.md`])),
  cleanUrls: true,
  head: icon ? [['link', { rel: 'icon', href: icon }]] : [],
  // It would hold transitions back by a style of its own, which is forbidden.
  appearance: { disableTransition: false },
  // Into a file, since inline scripts are forbidden.
  metaChunk: true,
  markdown: {
    // No colours: they would be styles on every word, and most of what is shown is what a terminal printed.
    highlight: (code) => `<pre v-pre><code>${escaped(code)}</code></pre>`,
    config: (markdown) => asOnSite(markdown, pages),
  },
  vite: {
    build: { license: { fileName: 'site/licenses.md' }, chunkSizeWarningLimit: 1_000 },
    // While VitePress builds, it links Vue into the packages of the checkout, where pages find it: a build that ends first takes the link away.
    resolve: {
      alias: ['vue', 'vue/server-renderer'].map((name) => ({
        find: new RegExp(`^${name}$`),
        replacement: resolve(name),
      })),
    },
  },
  themeConfig: {
    sidebar: sidebars(pages),
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      // Every word has to occur: hundreds of sections speak of hours.
      options: { miniSearch: { searchOptions: { combineWith: 'AND' } } },
    },
    nav: [
      { text: 'Using the pages', link: '/using-the-pages' },
      { text: 'Tutorials', link: '/tutorials/' },
      { text: 'API reference', link: '/reference', target: '_self' },
      { text: 'Workstation', link: '/../', target: '_self' },
    ],
  },
})

function escaped(code: string): string {
  return code.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign)
}
