/**
 * A kind of creative: its tables and its identifying columns. Everything the kinds share is implemented once, in terms of
 * this.
 */
export interface CreativeKind<Name extends object = object, Found extends object = object> {
  /** One row for each creative. */
  items: 'posts' | 'ads'
  /** The column with the number of a creative in each of the tables, valid until the next replay. */
  number: 'post_number' | 'ad_number'
  /** The permanent identity of a creative, also where accounts saved it: callers' field names by column. */
  name: { readonly [Field in keyof Name & string]: string }
  /** Other columns for looking up a creative. */
  foundBy: { readonly [Field in keyof Found & string]: string }
  search: 'post_search' | 'ad_search'
  sortKeys: 'post_sort_keys' | 'ad_sort_keys'
  /** The table of attributions; of two competing ones these columns decide before the time. */
  grounds: { table: 'post_grounds' | 'ad_grounds'; first: readonly 'brought'[] }
  /** The table of links to apps, after all decisions. */
  links: 'post_links' | 'ad_links'
  saved: 'saved_posts' | 'saved_ads'
}
