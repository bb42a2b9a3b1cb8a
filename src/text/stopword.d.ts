/** The lists of the package, which has no types of its own: stop words by ISO 639-3, with some irregular names. */
declare module 'stopword' {
  const lists: Readonly<Record<string, readonly string[] | undefined>>
  export default lists
}
