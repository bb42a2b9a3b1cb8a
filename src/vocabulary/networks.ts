import { type PostsRow, type SupplierOf, suppliers, suppliersOf } from './suppliers.ts'

/** Social networks that posts are published on. */
export const networks = suppliersOf('posts')

export type Network = SupplierOf<'posts'>

export const networkRow = (network: Network): PostsRow => suppliers[network].posts

type FormsOf<Row> = Row extends { forms: infer Forms } ? keyof Forms : never

/** Forms of posts of several networks: what `--format` calls them, and what they are of. */
export const sharedPostForms = { 'yt-dlp': 'yt-dlp and youtube-dl' } as const

/** A name of a post format, as given with `--format`. */
export type PostFormName = FormsOf<(typeof suppliers)[Network]['posts']> | keyof typeof sharedPostForms

/** The forms of posts that parsers read: their names, and what they are of. */
export const postForms = [
  ...networks.map((network) => networkRow(network).forms ?? {}),
  sharedPostForms,
].flatMap((forms) => Object.entries(forms) as [PostFormName, of: string][])
