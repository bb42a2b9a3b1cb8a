/** Meta's Ad Library Report: what advertisers spent on political ads, as a table for each page or place. */
export const metaLibraryReport = {
  is: (columns: readonly string[]) => {
    const has = (form: RegExp) => columns.some((name) => form.test(name.trim()))
    return has(/^amount spent \(/i) && (has(/^page id$/i) || has(/^location name$/i))
  },
  reason:
    "Meta's Ad Library Report, a table of advertisers and what they spent, which has no ads: import their ads from the Ad Library",
}
