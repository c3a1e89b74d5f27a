import { httpdFiles } from './files.js';
import { documentAt } from '../../programs/documents.js';
import { serverImage } from '../../programs/server.js';

const PAGES = { '/index.html': '<html><body><h1>It works!</h1></body></html>\n' };
const NOT_FOUND =
  '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>404 Not Found</title>\n</head><body>\n<h1>Not Found</h1>\n<p>The requested URL was not found on this server.</p>\n</body></html>\n';
const SERVER = { server: 'Apache/2.4.66 (Unix)' };

/** Apache. */
export const image = serverImage(
  {
    names: ['httpd', 'public.ecr.aws/docker/library/httpd'],
    tags: /^(latest|alpine|2|2\.[24](\.\d{1,2})?)(-(alpine|bookworm|bullseye|trixie)[a-z0-9.]*)?$/,
    layersMB: [29.8, 0.001, 4.1, 26.2, 0.001],
    files: httpdFiles(''),
    variant: (tag) => ({ files: httpdFiles(tag) }),
    config: { exposedPorts: [80], cmd: ['httpd-foreground'], stopSignal: 'SIGWINCH' },
  },
  {
    ports: [80],
    declared: true,
    readyAfterMs: 80,
    serve({ path }, start) {
      const page = documentAt(start, '/usr/local/apache2/htdocs', path, PAGES);
      return page
        ? { status: 200, headers: { ...page.headers, ...SERVER }, body: page.body }
        : { status: 404, headers: { 'content-type': 'text/html; charset=iso-8859-1', ...SERVER }, body: NOT_FOUND };
    },
    log: ({ pod }) => [
      `AH00558: httpd: Could not reliably determine the server's fully qualified domain name, using ${pod.ip}. Set the 'ServerName' directive globally to suppress this message`,
      "AH00094: Command line: 'httpd -D FOREGROUND'",
    ],
  },
);
