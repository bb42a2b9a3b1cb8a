/** A kind of creative: where its rows stand and how one is named. What the kinds share is done for all of them here. */
export interface CreativeKind<Name extends object = object, Found extends object = object> {
  /** One row for each creative. */
  items: 'posts' | 'ads'
  /** In each of the tables the number of the creative, which holds until the next replay. */
  number: 'post_number' | 'ad_number'
  /** What names a creative for ever, here and where accounts saved it: the columns, with what callers call them. */
  name: { readonly [Field in keyof Name & string]: string }
  /** Other columns of its row that it is found by. */
  foundBy: { readonly [Field in keyof Found & string]: string }
  search: 'post_search' | 'ad_search'
  sortKeys: 'post_sort_keys' | 'ad_sort_keys'
  /** Why it belongs to apps, as it shows itself; of two grounds that compete, these columns come before the time. */
  grounds: { table: 'post_grounds' | 'ad_grounds'; first: readonly 'brought'[] }
  /** The apps that it belongs to after all decisions. */
  links: 'post_links' | 'ad_links'
  saved: 'saved_posts' | 'saved_ads'
}
