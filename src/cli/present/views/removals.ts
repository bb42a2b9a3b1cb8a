import { text } from './parts.ts'
import type { ViewOf } from './view.ts'

/** These answer nothing: what is so afterwards, also when there was nothing left to remove. */
export const removals = {
  remove_saved_organic_content: {
    head: () => [text('Not saved by this account any more. The post stays.')],
  } satisfies ViewOf<'remove_saved_organic_content'>,
  remove_saved_paid_ad: {
    head: () => [text('Not saved by this account any more. The ad stays.')],
  } satisfies ViewOf<'remove_saved_paid_ad'>,
  remove_aso_app: {
    head: () => [text('Not tracked by this account any more. Stored evidence stays.')],
  } satisfies ViewOf<'remove_aso_app'>,
  remove_aso_keyword: {
    head: () => [text('The app does not have this keyword any more. Stored result pages stay.')],
  } satisfies ViewOf<'remove_aso_keyword'>,
}
