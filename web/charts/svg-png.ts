import { saveFile } from '../ui/csv.ts'

const drawn = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
  'opacity',
] as const

/** Saves a drawing as it looks on the page, in twice its size and on the ground of the page. */
export async function saveSvgAsPng(svg: SVGSVGElement, name: string): Promise<void> {
  const { width, height } = svg.getBoundingClientRect()
  const copy = svg.cloneNode(true) as SVGSVGElement
  // The rules of the page do not reach a drawing that is opened by itself.
  const [sources, copies] = [svg.querySelectorAll('*'), copy.querySelectorAll('*')]
  for (const [index, source] of sources.entries()) {
    const look = getComputedStyle(source)
    for (const property of drawn)
      copies[index]?.setAttribute(property, look.getPropertyValue(property).replaceAll('"', "'"))
  }
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  const address = URL.createObjectURL(
    new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' }),
  )
  try {
    const picture = new Image()
    picture.src = address
    await picture.decode()
    const canvas = document.createElement('canvas')
    canvas.width = width * 2
    canvas.height = height * 2
    const context = canvas.getContext('2d')
    if (!context) return
    context.fillStyle = getComputedStyle(document.body).backgroundColor
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    canvas.toBlob((content) => content && saveFile(name, content), 'image/png')
  } finally {
    URL.revokeObjectURL(address)
  }
}
