/** What the image's entrypoint does, in words of our own: a first user and database, then the server in its place. */
export const MONGO_ENTRYPOINT = `#!/bin/bash
set -e

case "\${1:-}" in
	-*) set -- mongod "$@" ;;
esac

if [ "$1" = mongod ] && [ "$(id -u)" = 0 ]; then
	chown -R mongodb /data/configdb /data/db
	exec gosu mongodb "$0" "$@"
fi

file_env() {
	eval "given=\\"\\\${$1:-}\\" file=\\"\\\${$1_FILE:-}\\""
	if [ -n "$given" ] && [ -n "$file" ]; then
		echo >&2 "error: both $1 and $1_FILE are set (but are exclusive)"
		exit 1
	fi
	if [ -n "$file" ]; then
		given="$(cat "$file")"
	fi
	eval "$1=\\"\\$given\\""
}

if [ "$1" = mongod ]; then
	file_env MONGO_INITDB_ROOT_USERNAME
	file_env MONGO_INITDB_ROOT_PASSWORD
	if [ -n "$MONGO_INITDB_ROOT_USERNAME$MONGO_INITDB_ROOT_PASSWORD" ]; then
		if [ -z "$MONGO_INITDB_ROOT_USERNAME" ] || [ -z "$MONGO_INITDB_ROOT_PASSWORD" ]; then
			cat >&2 <<'EOE'

error: missing 'MONGO_INITDB_ROOT_USERNAME' or 'MONGO_INITDB_ROOT_PASSWORD'
       both must be specified for a user to be created

EOE
			exit 1
		fi
		set -- "$@" --auth
	fi
	empty=yes
	for file in /data/db/*; do
		[ -e "$file" ] && [ "$file" != /data/db/lost+found ] && empty=
	done
	scripts=
	for file in /docker-entrypoint-initdb.d/*.sh /docker-entrypoint-initdb.d/*.js; do
		[ -e "$file" ] && scripts=yes
	done
	if [ -n "$empty" ] && [ -n "$MONGO_INITDB_ROOT_USERNAME$scripts" ]; then
		mongod --port 27017 --bind_ip 127.0.0.1 &
		server=$!
		tries=0
		until mongosh --quiet --eval 'quit(0)' >/dev/null 2>&1; do
			tries=$((tries + 1))
			if [ "$tries" -gt 30 ]; then
				echo >&2 'error: mongod does not appear to have stayed running -- perhaps it had an error?'
				exit 1
			fi
			sleep 1
		done
		if [ -n "$MONGO_INITDB_ROOT_USERNAME" ]; then
			quote() {
				printf '%s' "$1" | sed 's/\\\\/\\\\\\\\/g; s/"/\\\\"/g'
			}
			mongosh --quiet admin --eval "db.createUser({ user: \\"$(quote "$MONGO_INITDB_ROOT_USERNAME")\\", pwd: \\"$(quote "$MONGO_INITDB_ROOT_PASSWORD")\\", roles: [{ role: 'root', db: 'admin' }] })"
		fi
		for file in /docker-entrypoint-initdb.d/*; do
			case "$file" in
				*.sh) echo "$0: running $file"; . "$file" ;;
				*.js) echo "$0: running $file"; mongosh --quiet "\${MONGO_INITDB_DATABASE:-test}" "$file" ;;
				*/\\*) ;;
				*) echo "$0: ignoring $file" ;;
			esac
		done
		kill "$server"
		wait "$server" || :
		echo
		echo 'MongoDB init process complete; ready for start up.'
		echo
	fi
	case " $* " in
		*' --bind_ip'*) ;;
		*) set -- "$@" --bind_ip_all ;;
	esac
	unset MONGO_INITDB_ROOT_USERNAME MONGO_INITDB_ROOT_PASSWORD MONGO_INITDB_DATABASE
fi

exec "$@"
`;
