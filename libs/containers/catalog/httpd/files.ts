import type { ImageFiles } from '../../../engine/kernel/files/file.js';
import { directory, file, joinLayers, opaque, readPrograms } from '../../layers/index.js';
import { LATEST } from '../../servers/httpd/lines.js';
import { debianOrAlpine, releaseOf, shareLayer, versionOf } from '../bases.js';
import { CONFIGURATION, MODULES } from './configuration.js';

export const INDEX = '<html><body><h1>It works!</h1></body></html>\n';
const ROOT = '/usr/local/apache2';
const FOREGROUND = `#!/bin/sh\nset -e\n\n# Apache gets grumpy about PID files pre-existing\nrm -f ${ROOT}/logs/httpd.pid\n\nexec httpd -DFOREGROUND "$@"\n`;

/** The image httpd: its server, configuration and document root. */
export function httpdFiles(tag: string): ImageFiles {
  const base = debianOrAlpine(tag);
  return shareLayer(`httpd ${releaseOf(base)}`, () =>
    joinLayers(
      base,
      readPrograms(`${ROOT}/bin httpd httpd apachectl=httpd:httpd`),
      Object.fromEntries(MODULES.map((name) => [`${ROOT}/modules/mod_${name}.so`, opaque(60_000, 0o755)])),
      {
        '/usr/local/bin/httpd-foreground': file(FOREGROUND, 0o755),
        [`${ROOT}/cgi-bin`]: directory(),
        [`${ROOT}/conf/httpd.conf`]: file(CONFIGURATION),
        [`${ROOT}/conf/extra`]: directory(),
        [`${ROOT}/conf/mime.types`]: file(
          'text/html\t\t\t\t\thtml htm\ntext/plain\t\t\t\t\ttxt text conf def list log in\n',
        ),
        [`${ROOT}/htdocs/index.html`]: file(INDEX),
        [`${ROOT}/logs`]: { ...directory(), mode: 0o777 },
      },
    ),
  );
}

export const httpdVariables = (tag: string): Readonly<Record<string, string>> => ({
  HTTPD_PREFIX: ROOT,
  HTTPD_VERSION: versionOf(tag.replace(/^alpine.*/, ''), LATEST),
  PATH: `${ROOT}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
});
