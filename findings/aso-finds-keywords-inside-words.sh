#!/bin/sh
# aso 1.1.1, which scores how hard a keyword is: a title counts as an exact match where the letters of the keyword stand anywhere in it,
# within another word too. "art" matches "Smart Cart", "Party Starter" and "Heart Rate" exactly, as it does "Art Studio".
#
# One guesses: words. Short keywords ("art", "ai", "run", "bet") so get the highest score for titles that nobody searching for them means.
# The store is a made-up one, as the package allows, and nothing is asked.
# Ends with 0 while that is so.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' >package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error aso@1.1.1 >/dev/null
node -e '
  const aso = require("aso")
  const storeOf = (titles) => {
    const apps = titles.map((title, index) => ({
      title, appId: `app${index}`, description: `${title} is an app.`, score: 4, reviews: 100, updated: "2026-11-01", free: true,
    }))
    const query = () => ({ collection: "top", category: 1, num: 100 })
    return {
      MAX_SEARCH: 200, MAX_LIST: 100, search: async () => apps, list: async () => [], app: async () => apps[0], suggest: async () => [],
      getInstallsScore: () => ({ avg: 1, score: 1 }), getSuggestScore: async () => ({ score: 1 }),
      getCollection: () => "top", getGenre: () => 1, getCollectionQuery: query,
    }
  }
  const matches = async (...titles) => (await aso(storeOf(titles)).scores("art")).difficulty.titleMatches
  Promise.all([matches("Smart Cart", "Party Starter", "Heart Rate"), matches("Art Studio"), matches("Ledger")]).then((seen) => {
    console.log("within words:", seen[0], "as a word:", seen[1], "not at all:", seen[2])
    process.exit(seen[0].exact === 3 && seen[0].score === 10 && seen[1].score === 10 && seen[2].score === 0 ? 0 : 1)
  })
'
