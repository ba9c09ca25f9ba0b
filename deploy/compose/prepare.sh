#!/bin/sh
# Writes what compose.yaml reads, once: deploy/.env and the random secrets in deploy/secrets. Usage:
#   deploy/compose/prepare.sh parley.example
# It never overwrites a file. secrets/deployment.json and secrets/prover-settlement-key are yours to write.
set -eu
domain=${1:?the domain of the app}
cd "$(dirname "$0")/.."
# The folder keeps others out. Compose mounts each file as it is, and several users of containers read them.
mkdir -p -m 0700 secrets
write() {
  if [ -e "$1" ]; then echo "kept $1"; else cat >"$1"; echo "wrote $1"; fi
}
random() { openssl rand -hex 32 | write "secrets/$1"; }

printf 'DOMAIN=%s\n' "$domain" | write .env
for name in postgres-password app-database-password prover-database-password session-secret user-id-secret prover-secret; do
  random "$name"
done
for name in app prover; do
  printf 'postgres://%s:%s@postgres/%s\n' "$name" "$(cat "secrets/$name-database-password")" "$name" |
    write "secrets/$name-database-url"
done
if [ ! -e secrets/storage-url ]; then
  id=$(openssl rand -hex 10)
  key=$(openssl rand -hex 20)
  printf 's3+https://%s:%s@files.%s/parley?region=us-east-1\n' "$id" "$key" "$domain" | write secrets/storage-url
  # Anyone may read an object whose address they know; nobody but the app may list them.
  cat <<JSON | write secrets/store-identities.json
{
  "identities": [
    {
      "name": "parley",
      "credentials": [{ "accessKey": "$id", "secretKey": "$key" }],
      "actions": ["Read:parley", "Write:parley", "List:parley", "Tagging:parley"]
    },
    { "name": "anonymous", "actions": ["Read:parley"] }
  ]
}
JSON
fi
chmod 0444 secrets/*
