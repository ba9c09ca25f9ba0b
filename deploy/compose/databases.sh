#!/bin/sh
# Creates the databases of app and prover, each with an owner that cannot connect to the other's.
set -eu
for name in app prover; do
  psql --username "$POSTGRES_USER" --set ON_ERROR_STOP=1 --set name="$name" \
    --set password="$(cat "/run/secrets/$name-database-password")" <<'SQL'
create role :"name" login password :'password';
create database :"name" owner :"name";
revoke connect on database :"name" from public;
SQL
done
