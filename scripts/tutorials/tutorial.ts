import { readFile } from 'node:fs/promises'

/** The tutorials in the order in which they are read, and performed: the later ones write. */
export const tutorialNames = [
  'morning-check',
  'keyword-gap',
  'emerging-apps',
  'creative-brief',
  'import-ads',
  'moving-in',
] as const

export type TutorialName = (typeof tutorialNames)[number]

export const tutorialFile = (name: TutorialName): URL =>
  new URL(`../../docs/tutorials/${name}.md`, import.meta.url)

export const readTutorial = (name: TutorialName): Promise<string> => readFile(tutorialFile(name), 'utf8')

/** A block of commands: fenced as `console`, each command after a `$`, and below it what it prints. */
const block = /^```console\n(?<commands>.*?)^```$/gms
const command = /^\$ (?<line>.*)\n(?<output>(?:(?!\$ ).*\n)*)/gm

/** The commands of a tutorial in their order. */
export function commandsOf(page: string): string[] {
  return [...page.matchAll(block)].flatMap(({ groups }) =>
    [...(groups?.commands ?? '').matchAll(command)].map((found) => found.groups?.line ?? ''),
  )
}

/** The same page with what its commands print now. @param outputs one for each command, in their order */
export function withOutputs(page: string, outputs: readonly string[]): string {
  let at = 0
  return page.replace(
    block,
    (_, commands: string) =>
      `\`\`\`console\n${commands.replace(command, (_, line: string) => `$ ${line}\n${outputs[at++] ?? ''}`)}\`\`\``,
  )
}

/**
 * What the prose of a tutorial quotes and no command of the same section shows: every figure, and everything set as code. A
 * section without commands speaks of the whole page.
 */
export function unprintedQuotes(page: string): string[] {
  return page
    .split(/^(?=## )/m)
    .flatMap((section) => quotesMissing(section, section.includes('```console') ? section : page))
}

function quotesMissing(section: string, shownIn: string): string[] {
  const shown = [...shownIn.matchAll(block)].map(([text]) => text).join('\n')
  const printed = new Set(figuresOf(shown))
  const words = shown.replaceAll(/\s+/g, ' ')
  const prose = section
    .replaceAll(block, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/^\d+\. /gm, '')
  const codes = [...prose.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll(/\s+/g, ' '))
  return [
    ...codes.filter((code) => !words.includes(code)),
    ...figuresOf(prose.replaceAll(/`[^`]+`/g, '')).filter((figure) => !printed.has(figure)),
  ]
}

/** Figures as they are written: dates as a whole, with their thousands and decimals, without signs and units. */
const figuresOf = (text: string): string[] => text.match(/\d+(?:[-.,:]\d+)*/g) ?? []
