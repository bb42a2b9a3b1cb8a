/** The page that says why there is no search volume here, and what to use; on every server. */
export const searchVolumePage = '/docs/search-volume'

const asked =
  /(?:volume|popularity|traffic)(?:score|index|rank)?$|^(?:monthly|daily|average)?search(?:es|count|score)$/

/**
 * What to tell whoever names something that is not known here and means how often people search; empty for any other name.
 * @param name a parameter, a field as a dotted path, or a value such as an order
 */
export function searchVolumeHint(name: string): string {
  const last = name.slice(-60).split('.').at(-1) ?? ''
  if (!asked.test(last.toLowerCase().replaceAll(/[^a-z]/g, ''))) return ''
  return `; Apple tells nobody how often people search: ${searchVolumePage} and the prompt choose_keywords say what to use`
}
