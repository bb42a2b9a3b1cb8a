import { fileURLToPath } from 'node:url'
import lucide from '@iconify-json/lucide/icons.json' with { type: 'json' }
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { fileOf, homeOf, sharedOf } from './files.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

/** The first browsers that know light-dark(): a part of a page can then be shown in the other theme. */
const browsers = { chrome: '123', firefox: '121', safari: '17.5' }

export default defineConfig({
  root,
  base: '/',
  plugins: [react(), icons(), inlineStyles()],
  resolve: {
    // The component library brings its few texts in thirty languages; the pages are in English.
    alias: [{ find: /^(\..*\/intl\/.*)\/[a-z]{2}-[A-Z]{2}\.mjs$/, replacement: '$1/en-US.mjs' }],
  },
  // Twice as quick as PostCSS, which would read each file several times.
  css: {
    transformer: 'lightningcss',
    lightningcss: {
      targets: Object.fromEntries(
        Object.entries(browsers).map(([name, version]) => {
          const [major = 0, minor = 0] = version.split('.').map(Number)
          return [name, (major << 16) | (minor << 8)]
        }),
      ),
    },
  },
  build: {
    outDir: fileURLToPath(new URL('../dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: Object.entries(browsers).map(([name, version]) => `${name}${version}`),
    // One file of rules: it is small, and no page appears before its rules have.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    license: { fileName: 'licenses.md' },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      // Of the packages of icons and parts, only those that are used are read.
      experimental: { lazyBarrel: true },
      preserveEntrySignatures: false,
      output: {
        codeSplitting: {
          groups: [{ name: homeOf, priority: 2 }, { name: sharedOf, priority: 1 }, { name: fileOf }],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      // Addresses that begin so are the service's.
      [
        '/v1',
        '/session',
        '/changes',
        '/reads',
        '/keyword-matrix',
        '/app-summaries',
        '/listing-drafts',
        '/keyword-filters',
        '/chart-ranks',
        '/ad-imports',
        '/file-imports',
        '/saved-creatives',
        '/watch',
        '/channels',
        '/weekly-report',
        '/report-links',
        '/shared',
        '/keys',
        '/sources',
        '/requests',
        '/collecting',
        '/pictures',
        '/icons',
        '/media',
        '/docs',
        '/openapi',
      ].map((path) => [path, process.env.RIVALSCOPE_SERVER ?? 'http://127.0.0.1:8787']),
    ),
  },
})

/**
 * Makes components of icons: `virtual:lucide/x` is the drawing `x`, of one file that has all. As a package of components Lucide is fifty times as
 * large.
 */
function icons(): Plugin {
  const drawings: Record<string, { body: string } | undefined> = lucide.icons
  // How all are drawn is said once, on the whole, where a style can say otherwise.
  const look = {
    fill: 'none',
    stroke: 'currentColor',
    strokeLinecap: 'round',
    strokeLinejoin: 'round',
    strokeWidth: 2,
  }
  const lookWritten =
    / (?:fill="none"|stroke="currentColor"|stroke-linecap="round"|stroke-linejoin="round"|stroke-width="2")/g
  // In the folder of the package, which the list of licences goes by.
  const folder = fileURLToPath(new URL('.', import.meta.resolve('@iconify-json/lucide/icons.json')))
  return {
    name: 'icons',
    resolveId: (id) =>
      id.startsWith('virtual:lucide/') ? `${folder}${id.slice('virtual:lucide/'.length)}.icon.js` : undefined,
    load(id) {
      if (!id.startsWith(folder) || !id.endsWith('.icon.js')) return undefined
      const name = id.slice(folder.length, -'.icon.js'.length)
      const drawing = drawings[name]
      if (!drawing) throw new Error(`Lucide has no icon "${name}"`)
      const inner = JSON.stringify({ __html: drawing.body.replaceAll(lookWritten, '') })
      return `import { createElement } from 'react'
export default ({ size = 24, ...rest }) => createElement('svg', { width: size, height: size, viewBox: '0 0 24 24',
  ...${JSON.stringify(look)}, ...rest, dangerouslySetInnerHTML: ${inner} })`
    },
  }
}

/** Puts the rules into the page itself, which saves a request before anything can be seen. */
function inlineStyles(): Plugin {
  return {
    name: 'inline-styles',
    apply: 'build',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        return html.replace(/<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g, (link, file: string) => {
          const asset = bundle[file]
          return asset?.type === 'asset' ? `<style>${asset.source}</style>` : link
        })
      },
    },
  }
}
