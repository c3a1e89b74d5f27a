import { textOf } from '../../../../engine/kernel/bytes.js';
import { formatDate } from '../../../tools/coreutils/time/date-format.js';
import { lookUp } from '../../lookup.js';
import { html, type App } from '../app.js';

/** 'Sun Nov 29 04:29:32.000000 2026', as Apache writes its log. */
const stamp = (at: number): string => formatDate('%a %b %d %H:%M:%S.%6N %Y', at);

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
  log({ sys }) {
    const before = (level: string): string => `[${stamp(sys.now)}] [${level}:notice] [pid ${sys.pid}] `;
    const [address] = lookUp(sys, sys.hostname).addresses;
    const unnamed = `AH00558: apache2: Could not reliably determine the server's fully qualified domain name, using ${address ?? '127.0.0.1'}. Set the 'ServerName' directive globally to suppress this message`;
    return [
      ...[unnamed, unnamed],
      `${before('mpm_prefork')}AH00163: Apache/2.4.62 (Debian) PHP/8.2.28 configured -- resuming normal operations`,
      `${before('core')}AH00094: Command line: 'apache2 -D FOREGROUND'`,
    ];
  },
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
