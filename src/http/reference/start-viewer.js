// Starts Swagger UI on our own document. A file of its own, so that the page needs no inline script.
const dark = window.matchMedia('(prefers-color-scheme: dark)')
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', followScheme)
followScheme()

async function start() {
  const spec = await (await fetch('/openapi.json')).json()
  // The viewer sends every example it finds with a tried call: those of parameters that the call can do without stay out.
  for (const path of Object.values(spec.paths))
    for (const { parameters = [] } of Object.values(path)) for (const one of parameters) delete one.examples
  window.SwaggerUIBundle({
    spec,
    dom_id: '#viewer',
    deepLinking: true,
    docExpansion: 'list',
    filter: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    persistAuthorization: false,
    validatorUrl: null,
  })
}
start()
