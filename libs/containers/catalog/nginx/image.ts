import type { PodHttpAnswer, PodHttpRequest, Start } from '@terrarium/engine';
import { documentAt } from '../../programs/documents.js';
import { serverImage, utc } from '../../programs/server.js';

const ROOT = '/usr/share/nginx/html';
const HTML = { 'content-type': 'text/html', server: 'nginx' };
const WELCOME =
  '<!DOCTYPE html>\n<html>\n<head>\n<title>Welcome to nginx!</title>\n</head>\n<body>\n<h1>Welcome to nginx!</h1>\n</body>\n</html>\n';
const ERROR =
  '<!DOCTYPE html>\n<html>\n<head>\n<title>Error</title>\n</head>\n<body>\n<h1>An error occurred.</h1>\n</body>\n</html>\n';
const refusal = (title: string): string =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;
const ENTRYPOINT = [
  '/docker-entrypoint.sh: /docker-entrypoint.d/ is not empty, will attempt to perform configuration',
  '/docker-entrypoint.sh: Looking for shell scripts in /docker-entrypoint.d/',
  '/docker-entrypoint.sh: Launching /docker-entrypoint.d/10-listen-on-ipv6-by-default.sh',
  '10-listen-on-ipv6-by-default.sh: info: Getting the checksum of /etc/nginx/conf.d/default.conf',
  '10-listen-on-ipv6-by-default.sh: info: Enabled listen on IPv6 in /etc/nginx/conf.d/default.conf',
  '/docker-entrypoint.sh: Sourcing /docker-entrypoint.d/15-local-resolvers.envsh',
  '/docker-entrypoint.sh: Launching /docker-entrypoint.d/20-envsubst-on-templates.sh',
  '/docker-entrypoint.sh: Launching /docker-entrypoint.d/30-tune-worker-processes.sh',
  '/docker-entrypoint.sh: Configuration complete; ready for start up',
];

const RETURNS =
  /location\s+(=\s+)?(\/\S*)\s*\{[^{}]*?\breturn\s+(\d{3})(?:\s+(?:"([^"]*)"|'([^']*)'|([^;\s]+)))?\s*;[^{}]*\}/g;
const MAX_CONFIGURATION = 64 * 1024;

/** What a mounted configuration answers by itself: `location /healthz { return 200 "ok"; }`; the longest that fits. */
function returned(start: Start, path: string): PodHttpAnswer | undefined {
  let best: { readonly location: string; readonly answer: PodHttpAnswer } | undefined;
  for (const [name, text] of Object.entries(start.files())) {
    if (!name.startsWith('/etc/nginx/')) continue;
    for (const [, exact, location = '', code, a, b, c] of text.slice(0, MAX_CONFIGURATION).matchAll(RETURNS)) {
      if (!(exact ? path === location : path.startsWith(location)) || location.length < (best?.location.length ?? 0))
        continue;
      const body = (a ?? b ?? c ?? '').replaceAll('\\n', '\n');
      const redirects = /^30[1278]$/.test(code!);
      best = {
        location,
        answer: {
          status: Number(code),
          headers: redirects ? { ...HTML, location: body } : { 'content-type': 'text/plain', server: 'nginx' },
          body: redirects ? refusal(code!) : body,
        },
      };
    }
  }
  return best?.answer;
}

/** A mounted configuration's own answers, then the document root: what is mounted there, or the image's two pages. */
function serve({ method, path }: PodHttpRequest, start: Start): PodHttpAnswer {
  const own = returned(start, path.split('?', 1)[0]!);
  if (own) return own;
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: HTML, body: refusal('405 Not Allowed') };
  const page = documentAt(start, ROOT, path, { '/index.html': WELCOME, '/50x.html': ERROR });
  return page
    ? { status: 200, headers: { ...page.headers, server: 'nginx' }, body: page.body }
    : { status: 404, headers: HTML, body: refusal('404 Not Found') };
}

/** The web server of most tutorials. */
export const image = serverImage(
  {
    names: [
      'nginx',
      'nginxinc/nginx-unprivileged',
      'bitnami/nginx',
      'public.ecr.aws/nginx/nginx',
      'public.ecr.aws/docker/library/nginx',
      'registry.k8s.io/nginx',
      'registry.k8s.io/nginx-slim',
    ],
    tags: /^(latest|mainline|stable|alpine|perl|0\.\d+|1|1\.([0-9]|[12][0-9])(\.\d{1,2})?)(-(alpine|alpine-slim|perl|slim|bookworm|bullseye|trixie|otel)[a-z0-9.-]*)?$|^(stable|mainline)-[a-z0-9.-]+$/,
    layersMB: [29.8, 33.3, 0.001, 0.001, 0.001, 0.002],
    config: {
      exposedPorts: [80],
      entrypoint: ['/docker-entrypoint.sh'],
      cmd: ['nginx', '-g', 'daemon off;'],
      stopSignal: 'SIGQUIT',
    },
  },
  {
    ports: [80],
    declared: true,
    readyAfterMs: 60,
    serve,
    log({ at, container }) {
      const version =
        /:(\d+\.\d+(?:\.\d+)?)/.exec(container.image ?? '')?.[1]?.replace(/^(\d+\.\d+)$/, '$1.5') ?? '1.29.4';
      const notice = (text: string): string => `${utc(at).slashed} [notice] 1#1: ${text}`;
      return [
        ...ENTRYPOINT,
        notice('using the "epoll" event method'),
        notice(`nginx/${version}`),
        notice('built by gcc 14.2.0 (Debian 14.2.0-19)'),
        notice('OS: Linux 6.12.57+deb13-amd64'),
        notice('getrlimit(RLIMIT_NOFILE): 1048576:1048576'),
        notice('start worker processes'),
        ...[29, 30, 31, 32].map((pid) => notice(`start worker process ${pid}`)),
      ];
    },
  },
);
