import { networks } from './networks.ts'

/** Apple's number of an app or a developer: 1 to 19 digits without a leading zero. */
export const storeIdForm = /^[1-9][0-9]{0,18}$/

/** Whether a text is such a number and fits a signed 64-bit integer. */
export const isStoreId = (text: string): boolean => storeIdForm.test(text) && BigInt(text) < 2n ** 63n

/** Whether a text is a UUID, of any version. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** An app's bundle id: names separated by dots, such as `com.example.app`. */
export const bundleIdForm = /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9_-]+)+$/

/** The id of a post in Rivalscope: its network and the network's own id, joined by `_`. */
export const postIdForm = new RegExp(`^(${networks.join('|')})_[A-Za-z0-9_-]{1,64}$`)
