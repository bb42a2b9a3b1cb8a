import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { compileNormaliser } from '../../contract/query-text.ts'
import type { Scope } from '../../contract/scopes.ts'
import { controlCharacterPaths, markRunPaths } from '../../text/control-characters.ts'
import { mostMarks } from '../../text/normal-form.ts'

/** Instructions for a job: which tools in which order, what to look at, what to report. */
export interface Prompt {
  name: string
  title: string
  description: string
  /** Scopes required for the job. */
  scopes: readonly Scope[]
  /** In the order in which they are requested from the user. */
  arguments: PromptArgument[]
  /**
   * The instructions as text, with the arguments filled in.
   * @param mayChange whether the caller holds `content:write`; steps that need it are left out otherwise
   * @throws ProtocolError naming every argument that is missing, unknown or invalid
   */
  write(given: Readonly<Record<string, unknown>>, mayChange: boolean): string
}

interface PromptArgument {
  name: string
  description: string
  required: boolean
}

interface Draft<S extends z.ZodObject> extends Pick<Prompt, 'name' | 'title' | 'description' | 'scopes'> {
  /** Text fields only, each described. */
  takes: S
  write(given: z.output<S>, mayChange: boolean): string
}

export function prompt<S extends z.ZodObject>({ takes, write, ...named }: Draft<S>): Prompt {
  const fields = Object.entries(takes.shape) as [string, z.ZodType][]
  const normalise = compileNormaliser(takes)
  return {
    ...named,
    arguments: fields.map(([name, field]) => ({
      name,
      description: field.description ?? '',
      required: !field.safeParse(undefined).success,
    })),
    write(given, mayChange) {
      const filled = normalise(Object.fromEntries(Object.entries(given).filter(isFilled)))
      const [control] = controlCharacterPaths(filled)
      if (control) refuse([`${shortName(control)} holds control characters or line breaks`])
      const [marked] = markRunPaths(filled)
      if (marked) refuse([`${shortName(marked)} holds more than ${mostMarks} marks on a letter`])
      const parsed = takes.safeParse(filled)
      if (!parsed.success) refuse(parsed.error.issues.flatMap((issue) => mistakes(issue, given)))
      return write(parsed.data, mayChange)
    },
  }

  function mistakes(issue: z.core.$ZodIssue, given: Readonly<Record<string, unknown>>): string[] {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.slice(0, mostReasons).map((key) => `${shortName([key])} is not known here`)
    const name = issue.path.join('.')
    const missing = !Object.entries(given).some((one) => one[0] === name && isFilled(one))
    return [missing ? `${name} is needed` : `${name}: ${issue.message}`]
  }

  function refuse(reasons: string[]): never {
    const known = fields.map(([name]) => name).join(', ')
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `The prompt ${named.name} takes ${known}: ${reasons.join('; ')}.`,
    )
  }
}

/** Maximum number of reasons in one refusal. */
const mostReasons = 20
const shortName = (path: readonly PropertyKey[]) => path.join('.').slice(0, 100)

/** Forms send empty fields as empty texts. */
const isFilled = ([, value]: [string, unknown]) =>
  value !== undefined && !(typeof value === 'string' && value.trim() === '')
