import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { networks } from '../../../src/vocabulary/networks.ts'
import { readPages } from '../../api/operations.ts'
import { count, dayText, languageName, totalOf } from '../../evidence/format.ts'
import {
  networkInWords,
  postMedia,
  postMediaInWords,
  postSortInWords,
  postSorts,
} from '../../evidence/words.ts'
import { AppPicker } from '../../ui/AppPicker.tsx'
import { Select } from '../../ui/fields.tsx'
import { Empty, Loaded } from '../../ui/parts.tsx'
import { SelectSome } from '../../ui/SelectSome.tsx'
import { compactSearch, numberParam } from '../../ui/search-params.ts'
import { TokensField } from '../../ui/TokensField.tsx'
import { countOf, either, wordsOf } from './AdFilters.tsx'
import { CreativeCard } from './CreativeCard.tsx'
import { CreativesFrame } from './CreativesFrame.tsx'
import { FilterBar, type SetFilter } from './FilterBar.tsx'
import { Either, Languages, Typed } from './filter-fields.tsx'
import { Gallery, GallerySkeleton } from './Gallery.tsx'
import { SearchAsTyped } from './SearchAsTyped.tsx'
import { listOf, type PostsSearch, postArguments, valuesOf } from './search.ts'

/** The stored posts that match a search, as a gallery. */
export function PostsPage() {
  const search = useSearch({ from: '/creatives/posts' })
  const query = useInfiniteQuery({
    ...readPages('search_organic_content', postArguments(search)),
    placeholderData: (before) => before,
  })
  const pages = query.data?.pages
  const posts = useMemo(() => pages?.flatMap(({ items }) => items) ?? [], [pages])
  const hashtags = useMemo(
    () => [...new Set(posts.flatMap(({ hashtags }) => (hashtags.state === 'measured' ? hashtags.value : [])))],
    [posts],
  )
  const total = pages?.[0]?.total
  const isFiltered = Object.keys(search).some((key) => !['country', 'items', 'sort'].includes(key))
  return (
    <CreativesFrame title="Organic posts" subtitle={total ? totalOf(total, 'post') : 'Loading…'}>
      <PostFilters hashtags={hashtags} />
      <Loaded query={query} skeleton={<GallerySkeleton />}>
        {() =>
          posts.length === 0 ? (
            <Empty title={isFiltered ? 'No posts match these filters' : 'No posts yet'}>
              {isFiltered
                ? 'Only collected posts are searched: others may exist. Remove a filter.'
                : 'Drop a file of posts anywhere on this page to import it.'}
            </Empty>
          ) : (
            <Gallery
              label="Posts"
              items={posts}
              idOf={({ postId }) => postId}
              size={total?.relation === 'exact' ? total.value : undefined}
              card={(post, reachable) => <CreativeCard piece={{ kind: 'post', post }} reachable={reachable} />}
              query={query}
            />
          )
        }
      </Loaded>
    </CreativesFrame>
  )
}

type Change = Partial<Record<keyof PostsSearch, unknown>>

/** The filters of the post search; all of them stand in the address. */
function PostFilters({ hashtags }: { hashtags: readonly string[] }) {
  const search = useSearch({ from: '/creatives/posts' })
  const navigate = useNavigate({ from: '/creatives/posts' })
  const set = (change: Change) =>
    void navigate({
      search: (before) => compactSearch({ ...before, ...change }) as PostsSearch,
      replace: true,
      resetScroll: false,
    })
  return (
    <FilterBar
      search={
        <SearchAsTyped
          label="Search posts"
          placeholder="Search text, hashtags and authors"
          value={search.q}
          onSearch={(q) => set({ q })}
        />
      }
      sort={
        <Select
          label="Sort"
          labelHidden
          options={postSorts.map((id) => ({ id, name: postSortInWords[id] }))}
          value={search.sort ?? 'relevance'}
          onChange={(sort) => set({ sort: sort === 'relevance' ? undefined : sort })}
        />
      }
      usual={
        <>
          <SelectSome
            label="Network"
            options={networks.map((id) => ({ id, name: networkInWords[id] }))}
            values={valuesOf(search.network) as (typeof networks)[number][]}
            onChange={(chosen) => set({ network: listOf(chosen) })}
          />
          <AppPicker
            label="Apps"
            values={valuesOf(search.competitor)}
            onChange={(ids) => set({ competitor: listOf(ids) })}
          />
          <SelectSome
            label="Format"
            options={postMedia.map((id) => ({ id, name: postMediaInWords[id] }))}
            values={valuesOf(search.mediaType) as (typeof postMedia)[number][]}
            onChange={(types) => set({ mediaType: listOf(types) })}
          />
          <Typed
            label="Minimum views"
            type="number"
            value={search.minViews}
            onChange={(views) =>
              set({ minViews: views === undefined ? undefined : numberParam(Number(views), 0, 1e15) })
            }
          />
          <Either
            label="Saved"
            yes="Saved"
            no="Not saved"
            value={search.saved}
            onChange={(saved) => set({ saved })}
          />
        </>
      }
      others={
        <>
          <Typed
            label="Author"
            placeholder="Full handle"
            value={search.author}
            onChange={(author) => set({ author })}
          />
          <Languages value={search.language} onChange={(language) => set({ language })} />
          <Typed
            label="Published from"
            type="date"
            value={search.publishedFrom}
            onChange={(publishedFrom) => set({ publishedFrom })}
          />
          <Typed
            label="Published to"
            type="date"
            value={search.publishedTo}
            onChange={(publishedTo) => set({ publishedTo })}
          />
          <TokensField
            label="Hashtags"
            values={valuesOf(search.hashtag)}
            suggestions={hashtags}
            placeholder="Any of these hashtags"
            longest={100}
            onChange={(tags) => set({ hashtag: listOf(tags.map((tag) => tag.replace(/^#/, ''))) })}
          />
        </>
      }
      set={setFilters(search, set)}
      clear={() =>
        void navigate({ search: ({ items }) => compactSearch({ items }) as PostsSearch, replace: true })
      }
    />
  )
}

function setFilters(search: PostsSearch, set: (change: Change) => void): SetFilter[] {
  const shown: [keyof PostsSearch, string, string | undefined][] = [
    ['network', 'Network', wordsOf(search.network, networkInWords)],
    ['author', 'Author', search.author],
    ['competitor', 'Apps', countOf(search.competitor)],
    ['hashtag', 'Hashtags', valuesOf(search.hashtag).join(', ')],
    ['language', 'Language', valuesOf(search.language).map(languageName).join(', ')],
    ['mediaType', 'Format', wordsOf(search.mediaType, postMediaInWords)],
    ['minViews', 'Minimum views', search.minViews === undefined ? undefined : count(search.minViews)],
    ['publishedFrom', 'Published from', search.publishedFrom && dayText(search.publishedFrom)],
    ['publishedTo', 'Published to', search.publishedTo && dayText(search.publishedTo)],
    ['saved', 'Saved', either(search.saved, 'Yes', 'No')],
  ]
  return shown.flatMap(([key, name, value]) =>
    value ? [{ name, value, remove: () => set({ [key]: undefined }) }] : [],
  )
}
