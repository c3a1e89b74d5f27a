/** What Bitnami's scripts do, in words of our own: a database of the variables, then the server in their place. */
export const RUN = `#!/bin/sh
set -e

say() {
	printf 'postgresql %s %-5s ==> %s\\n' "$(date +%T.%2N)" "$1" "$2" >&2
}

# The first of these variables, or of the files that they name, that is there.
read_setting() {
	for name in "$@"; do
		eval "given=\\"\\\${$name:-}\\" file=\\"\\\${\${name}_FILE:-}\\""
		if [ -n "$file" ]; then
			given="$(cat "$file")"
		fi
		if [ -n "$given" ]; then
			echo "$given"
			return
		fi
	done
}

username="$(read_setting POSTGRESQL_USERNAME POSTGRES_USER)"
username="\${username:-postgres}"
password="$(read_setting POSTGRESQL_PASSWORD POSTGRES_PASSWORD)"
superuser="$(read_setting POSTGRESQL_POSTGRES_PASSWORD POSTGRES_POSTGRES_PASSWORD)"
database="$(read_setting POSTGRESQL_DATABASE POSTGRES_DB)"
database="\${database:-postgres}"

run_psql() {
	psql -v ON_ERROR_STOP=1 --no-psqlrc -U postgres "$@"
}

run_scripts() {
	for f in "$1"/*; do
		case "$f" in
			*.sh) if [ -x "$f" ]; then "$f"; else . "$f"; fi ;;
			*.sql) PGPASSWORD="$password" psql -U "$username" -d "$database" -f "$f" ;;
			*.sql.gz) gunzip -c "$f" | PGPASSWORD="$password" psql -U "$username" -d "$database" ;;
		esac
	done
}

initialize() {
	say INFO 'Initializing PostgreSQL database...'
	initdb -D "$PGDATA" --username=postgres --pwfile=/dev/stdin >/dev/null 2>&1 <<EOP
\${superuser:-$password}
EOP
	access=md5
	if [ -z "$password" ]; then access=trust; fi
	say INFO 'Generating local authentication configuration'
	printf '\\nhost all all 0.0.0.0/0 %s\\nhost all all ::/0 %s\\n' $access $access >> "$PGDATA/pg_hba.conf"
	say INFO 'Starting PostgreSQL in background...'
	pg_ctl -D "$PGDATA" -o "-c listen_addresses='' -p 5432" -w start >/dev/null 2>&1
	if [ "$username" != postgres ]; then
		say INFO "Creating user \${username}"
		run_psql -q -d postgres -c "CREATE ROLE \\"$username\\" WITH LOGIN CREATEDB PASSWORD '$password'"
		say INFO "Granting access to \\"\${username}\\" to the database \\"\${database}\\""
	else
		say INFO 'Changing password of postgres'
	fi
	if [ "$database" != postgres ]; then
		run_psql -q -d postgres -c "CREATE DATABASE \\"$database\\" OWNER \\"$username\\""
	fi
	say INFO 'Loading custom scripts...'
	run_scripts /docker-entrypoint-initdb.d
	say INFO 'Enabling remote connections'
	say INFO 'Stopping PostgreSQL...'
	pg_ctl -D "$PGDATA" -m fast -w stop
}

if [ "$1" = /opt/bitnami/scripts/postgresql/run.sh ]; then
	say INFO ''
	say INFO 'Welcome to the Bitnami postgresql container'
	say INFO 'Subscribe to project updates by watching https://github.com/bitnami/containers'
	say INFO ''
	say INFO '** Starting PostgreSQL setup **'
	say INFO 'Validating settings in POSTGRESQL_* env vars..'
	case "$(echo "\${ALLOW_EMPTY_PASSWORD:-no}" | tr '[:upper:]' '[:lower:]')" in
		1 | yes | true)
			say WARN "You set the environment variable ALLOW_EMPTY_PASSWORD=$ALLOW_EMPTY_PASSWORD. For safety reasons, do not use this flag in a production environment."
			;;
		*)
			if [ -z "$password" ]; then
				say ERROR 'The POSTGRESQL_PASSWORD environment variable is empty or not set. Set the environment variable ALLOW_EMPTY_PASSWORD=yes to allow the container to be started with blank passwords. This is recommended only for development.'
				exit 1
			fi
			;;
	esac
	say INFO 'Loading custom pre-init scripts...'
	run_scripts /docker-entrypoint-preinitdb.d
	mkdir -p "$PGDATA"
	chmod 700 "$PGDATA" || :
	if [ -s "$PGDATA/PG_VERSION" ]; then
		say INFO 'Deploying PostgreSQL with persisted data...'
	else
		initialize
	fi
	say INFO '** PostgreSQL setup finished! **'
	echo
	say INFO '** Starting PostgreSQL **'
	exec postgres -D "$PGDATA"
fi

exec "$@"
`;
