#!/bin/sh
# Generates a Python client from the API description of a running platform, and makes calls with it.
# Requires python3 with venv, and the network for PyPI, so it is not part of `npm test`.
#   BASE=http://127.0.0.1:3000 LOGIN=admin@demo.example PASSWORD=… AGENT=agent@demo.example sh test/clients/python-client.sh
set -eu
: "${BASE:?}" "${LOGIN:?}" "${PASSWORD:?}" "${AGENT:?}"
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "${PYTHON:-}" ]; then
  python3 -m venv "$work/venv"
  PYTHON="$work/venv/bin/python"
  "$PYTHON" -m pip install --quiet openapi-python-client==0.29.1
fi
printf 'post_hooks: []\n' > "$work/config.yml"
"$PYTHON" -m openapi_python_client generate --url "$BASE/api/openapi.json" --config "$work/config.yml" \
  --output-path "$work/sightline_client" --meta none --overwrite
"$PYTHON" -m compileall -q "$work/sightline_client"
PYTHONPATH="$work" "$PYTHON" "$here/python_calls.py"
