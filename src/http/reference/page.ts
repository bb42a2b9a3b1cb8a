interface Page {
  title: string
  styles: string[]
  scripts?: string[]
  /** Seconds after which the browser reloads the page; it does not when left out. */
  refreshSeconds?: number
  /** HTML of the page below the header. */
  content: string
  /** Leaves out the links to the reference: for people who came for something else. */
  isAlone?: true
}

/** One page of the reference. It holds no inline script and no inline style, so that a strict policy can hold. */
export function page({ title, styles, scripts = [], refreshSeconds, content, isAlone }: Page): string {
  const links = isAlone
    ? ''
    : `
<nav aria-label="Reference">
<a href="/docs/">Documentation</a>
<a href="/docs/reference">Operations</a>
<a href="/docs/problems">Problems</a>
<a href="/openapi.json">JSON</a>
<a href="/openapi.yaml">YAML</a>
</nav>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">${refreshSeconds === undefined ? '' : `\n<meta http-equiv="refresh" content="${refreshSeconds}">`}
<title>${title} · Rivalscope</title>
<link rel="icon" href="/docs/assets/favicon-32x32.png">
${styles.map((file) => `<link rel="stylesheet" href="/docs/assets/${file}">`).join('\n')}
</head>
<body>
<header class="bar">
<a class="name" href="${isAlone ? '/' : '/docs/'}">Rivalscope</a>${links}
</header>
${content}
${scripts.map((file) => `<script src="/docs/assets/${file}"></script>`).join('\n')}
</body>
</html>
`
}
