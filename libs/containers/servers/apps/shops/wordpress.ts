import { textOf } from '../../../../engine/kernel/bytes.js';
import { html, type App } from '../app.js';

export const wordpress: App = {
  ports: () => [80],
  readyMs: 2_500,
  logsTo: 'stderr',
  memory: 40 * 2 ** 20,
  headers: ({ sys }) => ({
    date: new Date(sys.now).toUTCString(),
    server: 'Apache/2.4.62 (Debian)',
    'x-powered-by': 'PHP/8.2.28',
  }),
  log: () => [
    'WordPress not found in /var/www/html - copying now...',
    'Complete! WordPress has been successfully copied to /var/www/html',
    "No 'wp-config.php' found in /var/www/html, but 'WORDPRESS_...' variables supplied; copying 'wp-config-docker.php' (WORDPRESS_DB_HOST WORDPRESS_DB_PASSWORD WORDPRESS_DB_USER)",
    '[mpm_prefork:notice] [pid 1] AH00163: Apache/2.4.62 (Debian) PHP/8.2.28 configured -- resuming normal operations',
    "[core:notice] [pid 1] AH00094: Command line: 'apache2 -D FOREGROUND'",
  ],
  answer({ route }, { sys }) {
    if (/^\/wp-(?:content|includes)\/|\.(?:css|js|png|ico)$/.test(route)) return html('Not Found', 404);
    const [host = 'mysql', port = '3306'] = textOf(sys.env['WORDPRESS_DB_HOST'] ?? 'mysql').split(':');
    const path = route === '/wp-admin/install.php' ? 'install' : 'other';
    return { ask: [{ host, port: Number(port), bytes: '', protocol: 'greeting' }], note: path };
  },
  told(note, [told]) {
    if (told !== undefined && told.error !== '' && !told.error.endsWith('i/o timeout'))
      return html(
        '<!DOCTYPE html>\n<html>\n<head>\n\t<title>Database Error</title>\n</head>\n<body id="error-page">\n\t<div class="wp-die-message"><h1>Error establishing a database connection</h1></div></body>\n</html>\n',
        500,
      );
    if (note !== 'install')
      return {
        status: 302,
        headers: { location: '/wp-admin/install.php', 'content-type': 'text/html; charset=utf-8' },
        body: '',
      };
    return html(
      '<!DOCTYPE html>\n<html lang="en-US" xml:lang="en-US">\n<head>\n\t<title>WordPress &rsaquo; Installation</title>\n</head>\n<body class="wp-core-ui language-chooser">\n<p id="logo">WordPress</p>\n\n\t<form id="setup" method="post" action="?step=1"><label class=\'screen-reader-text\' for=\'language\'>Select a default language</label>\n<select size=\'14\' name=\'language\' id=\'language\'>\n<option value="" lang="en" selected="selected" data-continue="Continue" data-installed="1">English (United States)</option>\n</select>\n</form>\n</body>\n</html>\n',
    );
  },
};
