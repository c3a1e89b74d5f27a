/** What the image's entrypoint does, in words of our own: first a database, then the server in its place. */
export const ENTRYPOINT = `#!/bin/sh
set -e

note() {
	kind="$1"
	shift
	printf '%s [%s] [Entrypoint]: %s\\n' "$(date -u '+%Y-%m-%d %H:%M:%S+00:00')" "$kind" "$*"
}

file_env() {
	eval "given=\\"\\\${$1:-}\\" file=\\"\\\${$1_FILE:-}\\""
	if [ -n "$given" ] && [ -n "$file" ]; then
		note ERROR "Both $1 and $1_FILE are set (but are exclusive)" >&2
		exit 1
	fi
	if [ -n "$file" ]; then
		given="$(cat "$file")"
	fi
	eval "$1=\\"\\\${given}\\""
	export "$1"
}

quote() {
	printf '%s' "$1" | sed "s/'/''/g"
}

case "\${1:-}" in
	-*) set -- mysqld "$@" ;;
esac

if [ "$1" = mysqld ] || [ "$1" = mariadbd ]; then
	name="\${SERVER_NAME:-MySQL}"
	note Note "Entrypoint script for $name Server \${SERVER_VERSION:-} started."
	data=/var/lib/mysql
	mkdir -p "$data" /run/mysqld
	if [ "$(id -u)" = 0 ]; then
		chown -R mysql "$data" /run/mysqld
		note Note "Switching to dedicated user 'mysql'"
		exec gosu mysql "$0" "$@"
	fi
	for variable in ROOT_PASSWORD DATABASE USER PASSWORD ALLOW_EMPTY_PASSWORD RANDOM_ROOT_PASSWORD; do
		if [ -n "\${SERVER_PREFIX:-}" ]; then
			file_env "\${SERVER_PREFIX}_$variable"
			eval "other=\\"\\\${\${SERVER_PREFIX}_$variable:-}\\""
			[ -z "$other" ] || eval "MYSQL_$variable=\\"\\$other\\""
		fi
		file_env "MYSQL_$variable"
	done
	if [ ! -d "$data/mysql" ]; then
		if [ -z "$MYSQL_ROOT_PASSWORD$MYSQL_ALLOW_EMPTY_PASSWORD$MYSQL_RANDOM_ROOT_PASSWORD\${MARIADB_ALLOW_EMPTY_ROOT_PASSWORD:-}" ]; then
			note ERROR "Database is uninitialized and password option is not specified" >&2
			cat >&2 <<EOE
    You need to specify one of the following as an environment variable:
    - \${SERVER_PREFIX:-MYSQL}_ROOT_PASSWORD
    - \${SERVER_PREFIX:-MYSQL}_ALLOW_EMPTY_\${SERVER_EMPTY:-}PASSWORD
    - \${SERVER_PREFIX:-MYSQL}_RANDOM_ROOT_PASSWORD
EOE
			exit 1
		fi
		if [ -z "\${SERVER_PREFIX:-}" ] && [ "$MYSQL_USER" = root ]; then
			note ERROR 'MYSQL_USER="root", MYSQL_USER and MYSQL_PASSWORD are for configuring a regular user and cannot be used for the root user' >&2
			cat >&2 <<EOE
    Remove MYSQL_USER="root" and use one of the following to control the root user password:
    - MYSQL_ROOT_PASSWORD
    - MYSQL_ALLOW_EMPTY_PASSWORD
    - MYSQL_RANDOM_ROOT_PASSWORD
EOE
			exit 1
		fi
		if [ -z "\${SERVER_PREFIX:-}" ] && [ -n "$MYSQL_USER" ] && [ -z "$MYSQL_PASSWORD" ]; then
			note Warn 'MYSQL_USER specified, but missing MYSQL_PASSWORD; MYSQL_USER will not be created' >&2
		elif [ -z "\${SERVER_PREFIX:-}" ] && [ -z "$MYSQL_USER" ] && [ -n "$MYSQL_PASSWORD" ]; then
			note Warn 'MYSQL_PASSWORD specified, but missing MYSQL_USER; MYSQL_PASSWORD will be ignored' >&2
		fi
		note Note "Initializing database files"
		mysql-initialize "$data"
		note Note "Database files initialized"
		note Note "Starting temporary server"
		"$@" --skip-networking &
		server=$!
		tries=0
		until mysqladmin --user=root ping >/dev/null 2>&1; do
			tries=$((tries + 1))
			if [ "$tries" -gt 30 ]; then
				note ERROR "Unable to start server." >&2
				exit 1
			fi
			sleep 1
		done
		note Note "Temporary server started."
		if [ -n "$MYSQL_RANDOM_ROOT_PASSWORD" ]; then
			MYSQL_ROOT_PASSWORD="$(head -c 24 /dev/urandom | base64 | tr -d '/+=' | head -c 32)"
			note Note "GENERATED ROOT PASSWORD: $MYSQL_ROOT_PASSWORD"
		fi
		mysql -uroot <<EOS
CREATE USER 'root'@'%' IDENTIFIED BY '$(quote "$MYSQL_ROOT_PASSWORD")';
GRANT ALL PRIVILEGES ON *.* TO 'root'@'%' WITH GRANT OPTION;
ALTER USER 'root'@'localhost' IDENTIFIED BY '$(quote "$MYSQL_ROOT_PASSWORD")';
EOS
		export MYSQL_PWD="$MYSQL_ROOT_PASSWORD"
		if [ -n "$MYSQL_DATABASE" ]; then
			note Note "Creating database $MYSQL_DATABASE"
			mysql -uroot -e "CREATE DATABASE IF NOT EXISTS \\\`$MYSQL_DATABASE\\\`"
		fi
		if [ -n "$MYSQL_USER" ] && [ -n "$MYSQL_PASSWORD" ]; then
			note Note "Creating user $MYSQL_USER"
			mysql -uroot -e "CREATE USER '$MYSQL_USER'@'%' IDENTIFIED BY '$(quote "$MYSQL_PASSWORD")'"
			if [ -n "$MYSQL_DATABASE" ]; then
				note Note "Giving user $MYSQL_USER access to schema $MYSQL_DATABASE"
				mysql -uroot -e "GRANT ALL ON \\\`$MYSQL_DATABASE\\\`.* TO '$MYSQL_USER'@'%'"
			fi
		fi
		for f in /docker-entrypoint-initdb.d/*; do
			case "$f" in
				*.sh) note Note "$0: running $f"; . "$f" ;;
				*.sql) note Note "$0: running $f"; mysql -uroot \${MYSQL_DATABASE:+-D "$MYSQL_DATABASE"} < "$f" ;;
				*/\\*) ;;
				*) note Warn "$0: ignoring $f" ;;
			esac
		done
		note Note "Stopping temporary server"
		mysqladmin -uroot shutdown
		wait "$server" || :
		unset MYSQL_PWD
		note Note "Temporary server stopped"
		printf '\\n'
		note Note "$name init process done. Ready for start up."
		printf '\\n'
	fi
fi

exec "$@"
`;
