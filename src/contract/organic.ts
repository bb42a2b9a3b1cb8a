import { z } from 'zod'
import examples from './examples/organic.json' with { type: 'json' }
import { asReply, type Contract, operations } from './operation.ts'
import { AppReference } from './shapes/apps.ts'
import { SaveBody } from './shapes/creatives.ts'
import {
  OrganicPost,
  OrganicPostDetail,
  PostFilters,
  PostId,
  PostNetwork,
  SavedOrganicPost,
} from './shapes/organic.ts'
import { page, searchPage } from './shapes/page.ts'
import { Cursor, Limit } from './shapes/primitives.ts'

const ofPost = z.strictObject({ postId: PostId })

export const organicOperations = operations({
  search_organic_content: {
    method: 'GET',
    path: '/v1/organic',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['posts'],
    summary: 'Stored organic posts that match a text and filters, most relevant first.',
    description:
      'Matches titles, texts, hashtags and authors in any language; relevance weighs how well the text fits, how recent the post is and how well it did. Without `q` and filters it lists every stored post. Filters are combined with and; several values of one filter with or. A post whose value is not measured is left out by a filter on that value and comes last in a sort on it: a hidden number is never taken for zero. Broad texts are ranked among a bounded number of matches, and `total` is then a lower bound. `competitor` also takes apps that are not in the catalogue; only a bundle id nobody has seen is refused. An empty list says that nothing stored matches, not that nothing was published. Only stored evidence is read.',
    query: z.strictObject({
      ...PostFilters,
      competitor: z
        .array(AppReference)
        .min(1)
        .max(20)
        .optional()
        .describe('Posts linked to any of these apps, catalogued or not.'),
      limit: Limit,
      cursor: Cursor.optional(),
    }),
    reply: searchPage('OrganicPostPage', OrganicPost),
    problems: ['invalid-cursor', 'competitor-not-found'],
    list: {
      at: 'items',
      summaryColumns: [
        'postId',
        'author.handle',
        'publishedAt',
        'title',
        'text',
        'url',
        'metrics.views',
        'metrics.likes',
        'outlierScore',
      ],
    },
    example: examples.search_organic_content,
    title: 'Search posts',
    use: "To find what did best: `sort=outlier`, against the author's usual.",
  },
  get_organic_content: {
    method: 'GET',
    path: '/v1/organic/{postId}',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['posts'],
    summary: 'One stored organic post with its metrics over time.',
    description:
      'The post as last observed, the apps it is linked to with the grounds for each, and one metrics point for each observation, oldest first. A metric the network hides is not measured in every point, never zero. A post nobody has observed answers 404; nothing is fetched from the network.',
    params: ofPost,
    reply: OrganicPostDetail,
    problems: ['post-not-found'],
    example: examples.get_organic_content,
    title: 'One post',
    use: 'After `search_organic_content`.',
  },
  list_saved_organic_content: {
    method: 'GET',
    path: '/v1/organic/saved',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['posts'],
    summary: 'The organic posts this account has saved, newest saved first, with their notes and tags.',
    description:
      'Only what this account saved; other accounts have their own list. Each post is shown as last observed, not as it was when saved. An empty list means that nothing saved matches. To search the saved posts by text or other filters, use `search_organic_content` with `saved=true`.',
    query: z.strictObject({
      network: z.array(PostNetwork).min(1).max(5).optional().describe('Any of these.'),
      tag: z
        .array(z.string().min(1).max(50))
        .min(1)
        .max(20)
        .optional()
        .describe('Saved with any of these tags, written exactly so.'),
      limit: Limit,
      cursor: Cursor.optional(),
    }),
    reply: page('SavedOrganicPostPage', SavedOrganicPost),
    problems: ['invalid-cursor'],
    list: {
      at: 'items',
      summaryColumns: [
        'savedAt',
        'note',
        'tags',
        'post.postId',
        'post.author.handle',
        'post.title',
        'post.text',
        'post.url',
        'post.metrics.views',
      ],
    },
    example: examples.list_saved_organic_content,
    title: 'Saved posts',
  },
  save_organic_content: {
    method: 'POST',
    path: '/v1/organic/{postId}/saved',
    scope: 'content:write',
    ending: 'record',
    outside: true,
    overwrites: true,
    summary: 'Saves a stored organic post for this account, with an optional note and tags.',
    description:
      '201 the first time, 200 with the same saved post when repeated. Saving again keeps `savedAt` and replaces only the parts given: a note or tags left out stay as they were. If the operator keeps media of saved items, copies of its media are queued; `mediaStatus` of the post shows how that goes. A post that is not stored answers 404 and nothing is saved.',
    params: ofPost,
    body: SaveBody,
    restsOn: ['posts'],
    reply: asReply('OrganicPostSaved', SavedOrganicPost, {}),
    problems: ['post-not-found'],
    example: examples.save_organic_content,
    title: 'Save a post',
    use: 'Saving again edits it.',
  },
  remove_saved_organic_content: {
    method: 'DELETE',
    path: '/v1/organic/{postId}/saved',
    scope: 'content:write',
    ending: 'remove',
    summary: 'Takes an organic post off the saved list of this account.',
    description:
      'The note and the tags are deleted with it. The post itself, its links and copies of its media stay stored. 204 also when the post was not saved, so it can be repeated. A post that is not stored answers 404.',
    params: ofPost,
    problems: ['post-not-found'],
    example: examples.remove_saved_organic_content,
    title: 'Unsave a post',
  },
} as const satisfies Contract)
