#!/usr/bin/env bash
# Tests against the real runtime of @github/copilot-sdk, without a network: a user namespace with nothing but loopback.
#
#   ./run.sh [TEST FILE...]   run the tests (all of them without arguments)
#   ./run.sh --write          measure again and write ../../schemas/runtime-sections.json
#
# PROMPTRULES_BIN names the command for the end-to-end tests of plans; without it they are skipped, one by one.
# Where npm or Linux do not allow it nothing is run: the line `skipped: …` says why, and the status is 0.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

skip() {
  echo "skipped: $*"
  exit 0
}

# Relative to the caller, not to this folder.
if [[ ${PROMPTRULES_BIN:-} == */* && $PROMPTRULES_BIN != /* ]]; then
  PROMPTRULES_BIN=$OLDPWD/$PROMPTRULES_BIN
fi
export PROMPTRULES_BIN=${PROMPTRULES_BIN:-}

command -v node >/dev/null || skip "node is not installed"
command -v npm >/dev/null || skip "npm is not installed"
node -e 'const [major, minor] = process.versions.node.split(".").map(Number);
         process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)' ||
  skip "the SDK needs node 20.19 or later, this is $(node --version)"

offline=(unshare --map-root-user --net sh -c 'ip link set lo up && exec "$@"' offline)
"${offline[@]}" true 2>/dev/null ||
  skip "no network namespace without privileges here (unshare --map-root-user --net, ip link set lo up)"

# npm leaves a copy of the lock file in node_modules: installed, and for this lock file?
if [[ ! node_modules/.package-lock.json -nt package-lock.json ]]; then
  if ! npm ci --ignore-scripts --no-audit --no-fund >npm.log 2>&1; then
    # Only what a missing network causes is a reason to skip; a lock file that does not fit is a failure.
    unreachable=$(grep -m1 -oE 'E(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_FAIL|401|403|404|50[0-9])\b|FETCH_ERROR' npm.log) &&
      skip "npm cannot fetch the packages ($unreachable), and they are not installed"
    cat npm.log >&2
    exit 1
  fi
  touch node_modules/.package-lock.json
fi

if [[ ${1:-} == --write ]]; then
  "${offline[@]}" node write-sections.mjs >runtime-sections.json.new
  mv runtime-sections.json.new ../../schemas/runtime-sections.json
else
  "${offline[@]}" node --test --test-reporter=spec "$@"
fi
