#!/bin/sh
# app-store-scraper 0.18.0, asked for a storefront that its table of Apple's numbers leaves out: charts and suggestions are those of
# the United States, and nothing says so. Of Apple's storefronts, 60 are left out, Kazakhstan, Morocco and Serbia among them.
#
# One guesses: the chart of the country that was named, or an error. Ids found so are then looked up in the country that was named, so
# American ranks stand beside local prices. The same version asks Germany's store for Germany.
# The requests go to a proxy on this machine, which answers an empty chart and writes down what was asked.
# Ends with 0 while that is so.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' >package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error app-store-scraper@0.18.0 >/dev/null
node -e '
  const http = require("node:http")
  const store = require("app-store-scraper")
  let asked
  const proxy = http.createServer((request, response) => {
    asked = new URL(request.url).searchParams.get("s")
    response.end(JSON.stringify({ feed: { entry: [] } }))
  })
  proxy.listen(0, "127.0.0.1", async () => {
    const requestOptions = { proxy: `http://127.0.0.1:${proxy.address().port}` }
    const seen = {}
    for (const country of ["us", "de", "kz", "ma", "rs"]) {
      await store.list({ country, num: 10, requestOptions })
      seen[country] = asked
    }
    console.log("storefront asked:", seen)
    proxy.close()
    const isSo = seen.us === "143441" && seen.de === "143443" && ["kz", "ma", "rs"].every((country) => seen[country] === seen.us)
    process.exit(isSo ? 0 : 1)
  })
'
