/** A feed of `rss.marketingtools.apple.com`, of all apps of a storefront. */
export const chartFeed = (country: string, updated: string, ids: readonly number[]) =>
  JSON.stringify({
    feed: {
      title: 'Top Free Apps',
      id: `https://rss.marketingtools.apple.com/api/v2/${country}/apps/top-free/100/apps.json`,
      country,
      updated: new Date(updated).toUTCString().replace('GMT', '+0000'),
      results: ids.map((id) => ({
        artistName: 'Maker',
        id: String(id),
        name: `App ${id}`,
        releaseDate: '2021-06-01',
        kind: 'apps',
        artworkUrl100: `https://example.com/${id}/100x100bb.png`,
        genres: [],
        url: `https://apps.apple.com/${country}/app/x/id${id}`,
      })),
    },
  })
