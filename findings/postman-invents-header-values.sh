#!/bin/sh
# openapi-to-postmanv2 6.3.3, what Postman imports an OpenAPI document with, asked for examples (parametersResolution=Example):
# an optional header or query parameter that has no example is not left out of the requests. Its value is made up of the schema, and
# is the same in all requests of the collection.
#
# One guesses: no example, no value. So an optional Idempotency-Key makes all writes of a collection share one key, of which a service
# performs the first alone, and an optional cursor is sent as the text "string". An example that is empty is taken as it stands.
# Ends with 0 while that is so.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >openapi.json <<'DOCUMENT'
{
  "openapi": "3.1.0",
  "info": { "title": "Notes", "version": "1" },
  "paths": {
    "/notes": {
      "get": { "parameters": [{ "$ref": "#/components/parameters/Cursor" }, { "$ref": "#/components/parameters/Empty" }], "responses": { "200": { "description": "Notes." } } },
      "post": { "parameters": [{ "$ref": "#/components/parameters/Key" }], "responses": { "201": { "description": "A note." } } }
    },
    "/tags": {
      "post": { "parameters": [{ "$ref": "#/components/parameters/Key" }], "responses": { "201": { "description": "A tag." } } }
    }
  },
  "components": {
    "parameters": {
      "Cursor": { "name": "cursor", "in": "query", "required": false, "schema": { "type": "string" } },
      "Empty": { "name": "empty", "in": "query", "required": false, "schema": { "type": "string" }, "example": "" },
      "Key": { "name": "Idempotency-Key", "in": "header", "required": false, "schema": { "type": "string", "pattern": "^[!-~]{10,20}$" } }
    }
  }
}
DOCUMENT
echo '{ "private": true }' >package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error openapi-to-postmanv2@6.3.3 >/dev/null
npx --no-install openapi2postmanv2 -s openapi.json -o collection.json -O parametersResolution=Example >/dev/null
node -e '
  const requests = []
  const walk = ({ item = [], request }) => (request && requests.push(request), item.forEach(walk))
  walk(JSON.parse(require("node:fs").readFileSync("collection.json", "utf8")))
  const keys = requests.flatMap(({ header = [] }) => header).filter(({ key }) => key === "Idempotency-Key")
  const query = Object.fromEntries(requests.flatMap(({ url }) => url.query ?? []).map(({ key, value }) => [key, value]))
  console.log("keys:", keys.map(({ value }) => value), "query:", query)
  const isSo = keys.length === 2 && keys[0].value !== "" && keys[0].value === keys[1].value && query.cursor === "string" && query.empty === ""
  if (!isSo) process.exitCode = 1
'
# Seen on 2026-11-28, Node 20 and 24: two keys that are the same, "0z#3?,ynd)M:Aq=55", and query: { cursor: "string", empty: "" }
