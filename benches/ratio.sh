#!/usr/bin/env bash
# The time of `check` with all findings on a thousand files, over the time that `jsonschema-cli` needs to validate the same
# files as JSON against the schema alone. Both run in turn on the same machine; the ratio is of the medians.
# Needs hyperfine, jq and jsonschema-cli (`cargo install hyperfine jsonschema-cli`).
set -euo pipefail
cd "$(dirname "$0")/.."
for tool in hyperfine jq jsonschema-cli; do
  command -v "$tool" >/dev/null || { echo "$tool is missing" >&2; exit 2; }
done
cargo build --release --quiet
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
WRITE_TO="$folder" cargo bench --quiet --bench check
mapfile -d '' instances < <(find "$folder/json" -name '*.json' -print0 | sort -z)
hyperfine --shell=none --warmup 3 --runs "${RUNS:-30}" --output null --export-json "$folder/times.json" \
  -n check "target/release/promptrules check --rules $folder/yaml" \
  -n jsonschema-cli "jsonschema-cli validate schemas/rules.schema.json -i ${instances[*]}"
jq -r '.results | "ratio of the medians \(.[0].median / .[1].median * 100 | round / 100), of the fastest runs \(.[0].min / .[1].min * 100 | round / 100)"' \
  "$folder/times.json"
