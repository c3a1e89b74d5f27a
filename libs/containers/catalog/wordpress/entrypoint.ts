/** What the image's entrypoint does, in words of our own: the pages where the server stands, then the server. */
export const ENTRYPOINT = `#!/bin/bash
set -e

if [ "$1" = apache2-foreground ] || [ "$1" = php-fpm ]; then
	if [ ! -e index.php ] && [ ! -e wp-includes/version.php ]; then
		echo >&2 "WordPress not found in $PWD - copying now..."
		if [ -n "$(find . -mindepth 1 -maxdepth 1 -not -name wp-content)" ]; then
			echo >&2 "WARNING: $PWD is not empty! (copying anyhow)"
		fi
		cp -r /usr/src/wordpress/. .
		if [ "$(id -u)" = 0 ]; then chown -R www-data:www-data .; fi
		echo >&2 "Complete! WordPress has been successfully copied to $PWD"
	fi
	given="$(env | sed -n 's/^\\(WORDPRESS_[A-Z_]*\\)=.*/\\1/p' | sort | tr '\\n' ' ')"
	if [ ! -s wp-config.php ] && [ -n "$given" ]; then
		echo >&2 "No 'wp-config.php' found in $PWD, but 'WORDPRESS_...' variables supplied; copying 'wp-config-docker.php' (\${given% })"
		cp wp-config-docker.php wp-config.php
		if [ "$(id -u)" = 0 ]; then chown www-data:www-data wp-config.php; fi
	fi
fi

exec "$@"
`;
