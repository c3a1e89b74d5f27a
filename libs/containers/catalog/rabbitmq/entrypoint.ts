/** What the image's entrypoint does, in words of our own: the server as a user of its own. */
export const RABBITMQ_ENTRYPOINT = `#!/bin/sh
set -e

for variable in RABBITMQ_DEFAULT_USER RABBITMQ_DEFAULT_PASS RABBITMQ_DEFAULT_VHOST; do
	eval "path=\\$\{\${variable}_FILE:-}"
	if [ -n "$path" ]; then
		export "$variable=$(cat "$path")"
	fi
done

case "$1" in
	rabbitmq*)
		if [ "$(id -u)" = 0 ]; then
			if [ "$1" = rabbitmq-server ]; then
				chown -R rabbitmq /var/lib/rabbitmq
			fi
			exec gosu rabbitmq "$@"
		fi
		;;
esac

exec "$@"
`;
