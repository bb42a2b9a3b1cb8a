import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Stated } from '../../src/domain/facts/merge.ts'
import type { PostFields } from '../../src/domain/organic/post.ts'
import type { ImportRequest } from '../../src/imports/import-request.ts'
import { rows } from '../../src/storage/database.ts'
import type { Folder } from './files.ts'
import { type Imported, importContent } from './imports.ts'
import type { World } from './world.ts'

interface StoredPost {
  facts: Stated<PostFields>
  observedAt: Date
  counts: Record<string, number>
}

type More = Partial<ImportRequest> & { name?: string }

/** Imports files of posts into a world, and tells what of them is stored. */
export class PostFiles {
  readonly #world: World
  readonly #folder: Folder

  constructor(world: World, folder: Folder) {
    this.#world = world
    this.#folder = folder
  }

  bring(content: unknown, more: More = {}): Promise<Imported> {
    const order = { observedAt: '2026-03-01T12:00:00Z', ...more }
    return importContent(this.#world, this.#folder, 'organic', content, order)
  }

  /** A stored post as it was first seen. */
  async postOf(postId: string): Promise<StoredPost | undefined> {
    const [post] = await rows(
      this.#world.store.db,
      sql<StoredPost>`
        select facts, m.observed_at as "observedAt", json_strip_nulls(json_build_object('views', views, 'likes', likes,
          'comments', comments, 'shares', shares, 'saves', saves)) as counts
        from posts join post_metrics m using (post_number) where post_id = ${postId} order by m.observed_at`,
    )
    return post
  }

  /**
   * What a file tells of its one post, beside what follows from it. The file is imported a second time, which changes nothing, and cut
   * off, of which nothing is stored.
   */
  async told(postId: string, content: unknown, more: More = {}) {
    const summary = await this.bring(content, more)
    assert.deepEqual([summary.reasons, summary.stored], [[], 1], postId)
    const again = await this.bring(content, more)
    assert.deepEqual([again.stored, again.unchanged, again.rejected], [0, 1, 0], postId)
    const text = (typeof content === 'string' ? content : JSON.stringify(content)).trimEnd()
    // A row that is cut off in its last cell is like any other, so a table is cut before it.
    const torn = await this.bring(text.slice(0, /[}\]]$/.test(text) ? -3 : text.lastIndexOf(',')), more)
    assert.deepEqual([torn.stored, torn.unchanged, torn.rejected > 0], [0, 0, true], `${postId} cut off`)
    const post = await this.postOf(postId)
    assert.ok(post, postId)
    const { detectedLanguage, possibleLanguages, ...facts } = post.facts as Record<string, unknown>
    return { ...post, facts }
  }
}

export const asJsonLines = (...records: unknown[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')
