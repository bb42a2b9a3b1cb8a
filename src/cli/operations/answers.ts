import { contract, type Tool } from '../../contract/contract.ts'
import type { Operation } from '../../contract/operation.ts'
import type { ScreenStream } from '../command-context.ts'
import type { Json } from '../present/cells.ts'
import type { Pages, Presentation } from '../present/present.ts'
import type { Style } from '../present/style.ts'
import { pickPaths } from './fields.ts'

/** A reply has a shape that this version does not know and cannot show. */
export class UnknownAnswer extends Error {}

interface AnswersOptions {
  json: boolean
  /** The paths of the fields to show; all fields when undefined. */
  fields: readonly string[] | undefined
  stdout: ScreenStream
  style: Style
}

/** Writes replies to standard output, as JSON or as tables. */
export class Answers {
  readonly #tool: Tool
  readonly #list: string | undefined
  readonly #json: boolean
  readonly #fields: readonly string[] | undefined
  readonly #stdout: ScreenStream
  readonly #style: Style
  #pages: Pages | undefined

  constructor(tool: Tool, { json, fields, stdout, style }: AnswersOptions) {
    const { list }: Operation = contract[tool]
    this.#tool = tool
    this.#list = list?.at
    this.#json = json
    this.#fields = fields
    this.#stdout = stdout
    this.#style = style
  }

  /** Shows a whole reply; prints nothing for an empty one. */
  async show(reply: unknown): Promise<void> {
    if (reply === undefined) return
    if (!this.#json) return this.#present(reply)
    const shown = this.#picked(reply)
    await this.#write(`${laidOut(() => jsonText(shown, this.#stdout.isTTY ? 2 : 0))}\n`)
  }

  /** Shows one page of several; in JSON mode prints its items, one per line. */
  async showPage(reply: unknown): Promise<void> {
    if (!this.#json) {
      const { presentPages } = await import('../present/present.ts')
      this.#pages ??= presentPages(this.#tool, this.#presentation())
      const { next } = this.#pages
      const text = laidOut(() => next(reply as Json))
      return text === '' ? undefined : await this.#write(`${text}\n`)
    }
    for (const item of this.#itemsOf(reply))
      await this.#write(`${jsonText(this.#fields ? pickPaths(item, this.#fields) : item, 0)}\n`)
  }

  #picked(reply: unknown): unknown {
    if (!this.#fields) return reply
    if (this.#list === undefined) return pickPaths(reply, this.#fields)
    return { ...(reply as object), [this.#list]: pickPaths(this.#itemsOf(reply), this.#fields) }
  }

  #itemsOf(reply: unknown): readonly unknown[] {
    return this.#list === undefined ? [] : (Reflect.get(reply as object, this.#list) as readonly unknown[])
  }

  async #present(reply: unknown): Promise<void> {
    const { present } = await import('../present/present.ts')
    await this.#write(`${laidOut(() => present(this.#tool, reply as Json, this.#presentation()))}\n`)
  }

  #presentation(): Presentation {
    return { ...this.#style, fields: this.#fields }
  }

  /** Resolves when the text is written, so that a slow reader causes back-pressure. */
  #write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stdout.write(text, (error) => (error ? reject(error) : resolve()))
    })
  }
}

function laidOut(present: () => string): string {
  try {
    return present()
  } catch (cause) {
    const words = 'the server answered something this version cannot show; --json shows most as it came'
    throw new UnknownAnswer(words, { cause })
  }
}

/** JSON without terminal control characters: names of apps are untrusted text. */
function jsonText(value: unknown, indent: number): string {
  return JSON.stringify(value, null, indent).replaceAll(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
