/** The lists of the package, which has no types of its own: words without meaning by ISO 639-3, with some odd names. */
declare module 'stopword' {
  const lists: Readonly<Record<string, readonly string[] | undefined>>
  export default lists
}
