#!/bin/sh
# aso 1.1.1, which names the keywords of a listing: of a Japanese text it names whole sentences, since it parts words at blanks only.
# A Russian text is parted into words, although both are read with the same English rules.
#
# One guesses: words, or nothing for a language it does not know. A keyword that the whole text is about is named nowhere, so the score of
# difficulty counts no competitor for it: 1 of 10 in Japanese, 10 of 10 in Russian, for an app of the same kind.
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
  const clientOf = (title, description) => {
    const app = { title, description, appId: "app", score: 4, reviews: 100, updated: "2026-11-01", free: true }
    return aso({
      MAX_SEARCH: 200, MAX_LIST: 100, search: async () => [app], list: async () => [], app: async () => app, suggest: async () => [],
      getInstallsScore: () => ({ avg: 1, score: 1 }), getSuggestScore: async () => ({ score: 1 }),
      getCollection: () => "top", getGenre: () => 1, getCollectionQuery: () => ({ collection: "top", category: 1, num: 100 }),
    })
  }
  const japanese = clientOf("家計簿アプリ", "毎日の家計簿を簡単に。レシートを撮るだけで家計簿が完成します。家計簿は無料です。")
  const russian = clientOf("Дневник настроения", "Дневник настроения помогает вести дневник каждый день. Ваш дневник бесплатный.")
  const seen = async (client, keyword) => ({
    keywords: await client.app("app"),
    competitors: (await client.scores(keyword)).difficulty.competitors,
  })
  Promise.all([seen(japanese, "家計簿"), seen(russian, "дневник")]).then(([ja, ru]) => {
    console.log("Japanese:", ja, "Russian:", ru)
    const isSo = !ja.keywords.includes("家計簿") && ja.keywords.includes("家計簿は無料です") && ja.competitors.score === 1
    process.exit(isSo && ru.keywords.includes("дневник") && ru.competitors.score === 10 ? 0 : 1)
  })
'
