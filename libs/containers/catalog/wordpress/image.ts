import type { ImageFiles } from '../../../engine/kernel/files/file.js';
import { directory, executable, file, joinLayers } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { debian, shareLayer, versionOf, withDebianPackages } from '../bases.js';
import { ENTRYPOINT } from './entrypoint.js';

const LATEST = '6.8.3';
const PHP_VERSION = '8.2.28';
const SOURCE = '/usr/src/wordpress';
const SERVER_BYTES = 700_000;
const WWW_DATA = 33;

const PAGES =
  'license.txt readme.html wp-activate.php wp-blog-header.php wp-comments-post.php wp-config-sample.php wp-cron.php ' +
  'wp-links-opml.php wp-load.php wp-login.php wp-mail.php wp-settings.php wp-signup.php wp-trackback.php xmlrpc.php';
const FOLDERS = 'wp-admin wp-content wp-content/plugins wp-content/themes wp-includes';

const INDEX = `<?php
define( 'WP_USE_THEMES', true );
require __DIR__ . '/wp-blog-header.php';
`;

const setting = (name: string, variable: string, fallback: string): string =>
  `define( '${name}', getenv_docker('${variable}', '${fallback}') );\n`;
const CONFIG = `<?php
${setting('DB_NAME', 'WORDPRESS_DB_NAME', 'wordpress')}${setting('DB_USER', 'WORDPRESS_DB_USER', 'example username')}\
${setting('DB_PASSWORD', 'WORDPRESS_DB_PASSWORD', 'example password')}${setting('DB_HOST', 'WORDPRESS_DB_HOST', 'mysql')}\
$table_prefix = getenv_docker('WORDPRESS_TABLE_PREFIX', 'wp_');
require_once ABSPATH . 'wp-settings.php';
`;

/** The pages by their names; what most of them do is part of the server. */
function pages(version: string): ImageFiles {
  const blank = (name: string): readonly [string, ImageFiles[string]] => [
    `${SOURCE}/${name}`,
    file(name.endsWith('.php') ? '<?php\n' : 'WordPress - Web publishing software\n'),
  ];
  return {
    ...Object.fromEntries(PAGES.split(' ').map(blank)),
    ...Object.fromEntries(FOLDERS.split(' ').map((name) => [`${SOURCE}/${name}`, directory()])),
    [`${SOURCE}/index.php`]: file(INDEX),
    [`${SOURCE}/wp-config-docker.php`]: file(CONFIG),
    [`${SOURCE}/wp-includes/version.php`]: file(`<?php\n$wp_version = '${version}';\n`),
    [`${SOURCE}/wp-content/index.php`]: file('<?php\n// Silence is golden.\n'),
  };
}

function files(tag: string): ImageFiles {
  const version = versionOf(tag, LATEST);
  return shareLayer(`wordpress ${version}`, () =>
    joinLayers(withDebianPackages(debian('bookworm'), 'curl', 'procps'), pages(version), {
      '/usr/local/bin/docker-entrypoint.sh': file(ENTRYPOINT, 0o755),
      '/usr/local/bin/apache2-foreground': executable('apps:wordpress', SERVER_BYTES),
      '/usr/local/bin/php': executable('runtime:php', SERVER_BYTES),
      '/var/www/html': { ...directory(0o1777), user: WWW_DATA, group: WWW_DATA },
    }),
  );
}

/** WordPress behind Apache, as far as its first page and its files go. */
export const image = toolImage({
  names: ['wordpress', 'bitnami/wordpress', 'public.ecr.aws/docker/library/wordpress'],
  tags: /^\w[\w.-]*$/,
  layersMB: [29.1, 104.3, 22.5, 23.1],
  files: files('latest'),
  variant: (tag) => ({ files: files(tag) }),
  config: {
    exposedPorts: [80],
    entrypoint: ['docker-entrypoint.sh'],
    cmd: ['apache2-foreground'],
    workingDir: '/var/www/html',
    env: { PHP_VERSION, APACHE_CONFDIR: '/etc/apache2', PHP_INI_DIR: '/usr/local/etc/php' },
  },
});
