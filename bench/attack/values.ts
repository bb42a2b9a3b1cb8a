import type { Dice } from '../../sample/dice.ts'
import { cut, hostileTexts } from '../../tests/support/stalls.ts'

/** A piece of JSON Schema as the OpenAPI document has it. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  minimum?: number
  maximum?: number
  minItems?: number
  example?: unknown
  examples?: unknown[]
  default?: unknown
}

/** Stands for a value nested deeper than can be written by the usual way; see `written`. */
const deep = '@@deep@@'

/** A value as JSON, with what is nested very deep. */
export function written(value: unknown): string | undefined {
  return JSON.stringify(value)?.replace(`"${deep}"`, `${'['.repeat(100_000)}${']'.repeat(100_000)}`)
}

/** Draws values that a schema describes, and values that nobody should send. */
export class Values {
  readonly #dice: Dice
  readonly #schemas: Record<string, Schema>
  /** Ids, cursors and tokens that replies have shown, which may be sent again, whole or damaged. */
  readonly seen: string[] = []

  constructor(dice: Dice, schemas: Record<string, Schema>) {
    this.#dice = dice
    this.#schemas = schemas
  }

  /** What the schema describes, as far as it says so in types, or at times something else. */
  of(schema: Schema, hostility = 0.25): unknown {
    return this.#dice.chance(hostility) ? this.hostile() : this.#fitting(schema, hostility)
  }

  hostile(): unknown {
    const dice = this.#dice
    return dice.pick<() => unknown>([
      () => this.text(),
      () =>
        dice.pick([null, true, '', ' ', 0, -1, 1e308, 2 ** 53, 0.1, [], {}, [[]], '0', 'null', 'undefined']),
      () => nested(dice.pick([10, 100, 1_500]), dice.pick(['[', '{"a":'])),
      () =>
        Object.fromEntries(Array.from({ length: dice.between(1, 300) }, (_, index) => [`k${index}`, index])),
      () => Array.from({ length: dice.between(1, 2_000) }, () => dice.pick(['x', 1, null])),
      () => dice.pick(['../../etc/passwd', "' or 1=1 --", '%00', '\0', '\u202e', '\ud800', '__proto__']),
      () => this.forged(),
      () => deep,
    ])()
  }

  /** A text of any length up to a megabyte; most are short, or the attack would measure the network. */
  text(): string {
    const bytes = this.#dice.pick([1, 3, 40, 300, 2_000, 2_000, 20_000, 990_000])
    return cut(this.#dice.pick(Object.values(hostileTexts)), bytes)
  }

  /** A cursor, id or token as somebody would make it who has seen some. */
  forged(): string {
    const dice = this.#dice
    const known = this.seen.length > 0 ? dice.pick(this.seen) : 'WyJ4Il0'
    return dice.pick([
      () => known,
      () => known.slice(0, -1),
      () => `${known}A`,
      () => known.split('').reverse().join(''),
      () => Buffer.from(JSON.stringify([dice.roll(), this.text().slice(0, 200), null])).toString('base64url'),
      () => `${known}.${known}`,
    ])()
  }

  #fitting(schema: Schema, hostility: number): unknown {
    const dice = this.#dice
    if (schema.$ref) return this.of(this.#schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, hostility / 2)
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return dice.pick(schema.enum)
    const shown = schema.example ?? schema.examples?.[0] ?? schema.default
    if (shown !== undefined && dice.chance(0.7)) return shown
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return this.of(dice.pick(choices), hostility)
    if (schema.allOf) return this.of(schema.allOf[0] ?? {}, hostility)
    const type = Array.isArray(schema.type) ? dice.pick(schema.type) : schema.type
    switch (type) {
      case 'object':
        return this.#object(schema, hostility)
      case 'array':
        return Array.from({ length: dice.between(schema.minItems ?? 0, 3) }, () =>
          this.of(schema.items ?? {}, hostility),
        )
      case 'integer':
        return dice.between(schema.minimum ?? 0, Math.min(schema.maximum ?? 50, 1_000))
      case 'number':
        return dice.roll() * 5
      case 'boolean':
        return dice.chance(0.5)
      default:
        return dice.pick([
          'sleep',
          'us',
          '2026-03-01',
          '9000000001',
          'https://apps.apple.com/us/app/id9000000001',
        ])
    }
  }

  #object(schema: Schema, hostility: number): Record<string, unknown> {
    const made: Record<string, unknown> = {}
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      if (schema.required?.includes(name) ? !this.#dice.chance(0.03) : this.#dice.chance(0.3))
        made[name] = this.of(property, hostility)
    if (this.#dice.chance(0.05)) made[String(this.hostile()).slice(0, 100)] = this.hostile()
    return made
  }
}

function nested(depth: number, open: string): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = open === '[' ? [value] : { a: value }
  return value
}
