import { type PostsRow, type SupplierOf, suppliers, suppliersOf } from './suppliers.ts'

/** Social networks that posts are published on. */
export const networks = suppliersOf('posts')

export type Network = SupplierOf<'posts'>

export const networkRow = (network: Network): PostsRow => suppliers[network].posts

type FormsOf<Row> = Row extends { forms: infer Forms } ? keyof Forms : never

/** What `--format` calls a form of posts. */
export type PostFormName = FormsOf<(typeof suppliers)[Network]['posts']>

/** The forms of posts that parsers read: their names, and what they are of. */
export const postForms = networks.flatMap(
  (network) => Object.entries(networkRow(network).forms ?? {}) as [PostFormName, of: string][],
)
