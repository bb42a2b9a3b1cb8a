import { z } from 'zod'

/** The environment variables that hold the keys; a self-hosted service may need none. */
export const speechKeyVariable = 'RIVALSCOPE_SPEECH_KEY'
export const modelKeyVariable = 'RIVALSCOPE_MODEL_KEY'

const megabyte = 1024 * 1024

const endpoint = {
  /** Includes the version, such as `https://api.openai.com/v1`. */
  baseUrl: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .regex(/^[^@?#]*$/, 'must hold no credentials, query or fragment'),
  model: z.string().min(1).max(200),
  /** Its name in answers. */
  name: z.string().min(1).max(60),
}

/** The `speech` section of a configuration file: the service that transcribes speech. */
export const SpeechSettings = z.strictObject({
  ...endpoint,
  timeoutSeconds: z.number().positive().max(3_600).default(300),
  /** Seconds of one piece of sound; longer sound is split. */
  maxBytes: z
    .int()
    .min(1_000_000)
    .max(1_024 * megabyte)
    .default(24 * megabyte),
})

/** The `model` section of a configuration file: the language model that analyses ads, and its budget. */
export const ModelSettings = z.strictObject({
  ...endpoint,
  timeoutSeconds: z.number().positive().max(3_600).default(120),
  /** Limit for the ad's text; longer text is cut. */
  maxInputCharacters: z.int().min(500).max(200_000).default(20_000),
  /** Limit for all processes together, per day in UTC. */
  dailyLimit: z
    .strictObject({
      requests: z.int().min(0).default(500),
      tokens: z.int().min(0).default(1_000_000),
    })
    .prefault({}),
})

export type SpeechSettings = z.output<typeof SpeechSettings>
export type ModelSettings = z.output<typeof ModelSettings>
