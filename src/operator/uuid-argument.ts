import { z } from 'zod'

const Uuid = z.uuid()

/** Whether a text given as an id can be one. */
export const isUuid = (text: string) => Uuid.safeParse(text).success
