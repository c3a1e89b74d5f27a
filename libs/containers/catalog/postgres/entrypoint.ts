/** What the image's entrypoint does, in words of our own: first a database, then the server in its place. */
export const ENTRYPOINT = `#!/bin/sh
set -e

file_env() {
	eval "given=\\"\\\${$1:-}\\" file=\\"\\\${$1_FILE:-}\\""
	if [ -n "$given" ] && [ -n "$file" ]; then
		echo >&2 "error: both $1 and $1_FILE are set (but are exclusive)"
		exit 1
	fi
	if [ -n "$file" ]; then
		given="$(cat "$file")"
	fi
	eval "$1=\\"\\\${given:-$2}\\""
	export "$1"
	unset "$1_FILE"
}

run_files() {
	echo
	for f in /docker-entrypoint-initdb.d/*; do
		case "$f" in
			*.sh)
				if [ -x "$f" ]; then
					echo "$0: running $f"
					"$f"
				else
					echo "$0: sourcing $f"
					. "$f"
				fi
				;;
			*.sql) echo "$0: running $f"; init_psql -f "$f"; echo ;;
			*.sql.gz) echo "$0: running $f"; gunzip -c "$f" | init_psql; echo ;;
			*/\\*) ;;
			*) echo "$0: ignoring $f" ;;
		esac
		echo
	done
}

init_psql() {
	psql -v ON_ERROR_STOP=1 --no-psqlrc -U "$POSTGRES_USER" -d "$POSTGRES_DB" "$@"
}

case "\${1:-}" in
	-*) set -- postgres "$@" ;;
esac

if [ "$1" = postgres ]; then
	file_env POSTGRES_PASSWORD ''
	file_env POSTGRES_USER postgres
	file_env POSTGRES_DB "$POSTGRES_USER"
	mkdir -p "$PGDATA"
	chmod 700 "$PGDATA" || :
	if [ "$(id -u)" = 0 ]; then
		chown -R postgres "$PGDATA" /var/run/postgresql
		exec gosu postgres "$0" "$@"
	fi
	if [ ! -s "$PGDATA/PG_VERSION" ]; then
		if [ -z "$POSTGRES_PASSWORD" ] && [ "\${POSTGRES_HOST_AUTH_METHOD:-}" != trust ]; then
			cat >&2 <<'EOE'
Error: Database is uninitialized and superuser password is not specified.
       You must specify POSTGRES_PASSWORD to a non-empty value for the
       superuser. For example, "-e POSTGRES_PASSWORD=password" on "docker run".

       You may also use "POSTGRES_HOST_AUTH_METHOD=trust" to allow all
       connections without a password. This is *not* recommended.

       See PostgreSQL documentation about "trust":
       https://www.postgresql.org/docs/current/auth-trust.html
EOE
			exit 1
		fi
		initdb --username="$POSTGRES_USER" --pwfile=/dev/stdin <<EOP
$POSTGRES_PASSWORD
EOP
		printf '\\nhost all all all %s\\n' "\${POSTGRES_HOST_AUTH_METHOD:-scram-sha-256}" >> "$PGDATA/pg_hba.conf"
		export PGPASSWORD="\${PGPASSWORD:-$POSTGRES_PASSWORD}"
		pg_ctl -D "$PGDATA" -o "-c listen_addresses='' -p 5432" -w start
		if [ "$POSTGRES_DB" != postgres ]; then
			psql -v ON_ERROR_STOP=1 --no-psqlrc -U "$POSTGRES_USER" -d postgres -c "CREATE DATABASE \\"$POSTGRES_DB\\""
			echo
		fi
		run_files
		pg_ctl -D "$PGDATA" -m fast -w stop
		unset PGPASSWORD
		printf '\\nPostgreSQL init process complete; ready for start up.\\n\\n'
	else
		printf '\\nPostgreSQL Database directory appears to contain a database; Skipping initialization\\n\\n'
	fi
fi

exec "$@"
`;
