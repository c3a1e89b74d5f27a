import { ERROR, LATEST, nginxFiles, nginxVariables, WELCOME } from './files.js';
import type { PodHttpAnswer, PodHttpRequest, Start } from '@terrarium/engine';
import { documentAt } from '../../programs/documents.js';
import { serverImage } from '../../programs/server.js';
import { BUILT_AT } from '../../layers/layer.js';
import { httpDate } from '../../servers/http.js';
import { accessLine } from '../../servers/nginx/access-line.js';
import { fileHeaders, pageHeaders } from '../../servers/nginx/headers.js';
import { READY_MS, startLines } from '../../servers/nginx/process/lines.js';
import { versionOfStart } from '../bases.js';
import { parseConfiguration, type Directive } from './configuration.js';

const ROOT = '/usr/share/nginx/html';
const HTML = 'text/html';
const refusal = (title: string, version: string): string =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx/${version}</center>\r\n</body>\r\n</html>\r\n`;

interface Location {
  readonly path: string;
  readonly isExact: boolean;
  /** Status and text of its `return`. */
  readonly returns: readonly string[];
}

/** The locations that answer by themselves: `location /healthz { return 200 "ok"; }`. */
function locationsOf(directives: readonly Directive[]): Location[] {
  return directives.flatMap(({ words, block }) => {
    const [name, ...args] = words;
    if (name !== 'location') return locationsOf(block);
    const path = args.at(-1) ?? '';
    const returns = block.find((inner) => inner.words[0] === 'return')?.words.slice(1) ?? [];
    const isPrefix = args.length === 1 && path.startsWith('/');
    const isExact = args.length === 2 && args[0] === '=';
    return (isPrefix || isExact) && /^\d{3}$/.test(returns[0] ?? '') ? [{ path, isExact, returns }] : [];
  });
}

const configurationOf = (start: Start): Directive[] =>
  Object.entries(start.files()).flatMap(([name, text]) =>
    name.startsWith('/etc/nginx/') ? parseConfiguration(text) : [],
  );

/** The answer of the longest location that fits the path. */
function answerOfConfiguration(start: Start, path: string): PodHttpAnswer | undefined {
  let best: Location | undefined;
  for (const location of locationsOf(configurationOf(start))) {
    const fits = location.isExact ? path === location.path : path.startsWith(location.path);
    if (fits && location.path.length >= (best?.path.length ?? 0)) best = location;
  }
  if (!best) return undefined;
  const [code = '', text = ''] = best.returns;
  const body = text.replaceAll('\\n', '\n');
  if (!/^30[1278]$/.test(code)) return page(Number(code), 'text/plain', body);
  const redirect = page(Number(code), HTML, refusal(code, versionOfStart(start, LATEST)));
  return { ...redirect, headers: { ...redirect.headers, location: body } };
}

const page = (status: number, type: string, body: string): PodHttpAnswer => ({
  status,
  headers: pageHeaders(type, Buffer.byteLength(body)),
  body,
});

/** A mounted configuration's own answers, then the document root: what is mounted there, or the image's two pages. */
function answerOf({ method, path }: PodHttpRequest, start: Start): PodHttpAnswer {
  const own = answerOfConfiguration(start, path.split('?', 1)[0]!);
  if (own) return own;
  const version = versionOfStart(start, LATEST);
  if (method !== 'GET' && method !== 'HEAD') return page(405, HTML, refusal('405 Not Allowed', version));
  const found = documentAt(start, ROOT, path, { '/index.html': WELCOME, '/50x.html': ERROR });
  if (!found) return page(404, HTML, refusal('404 Not Found', version));
  const { body } = found;
  const type = found.headers['content-type'] ?? HTML;
  return { status: 200, headers: fileHeaders(type, BUILT_AT, Buffer.byteLength(body)), body };
}

function serve(request: PodHttpRequest, start: Start, _read: unknown, now: number): PodHttpAnswer {
  const { headers, ...answer } = answerOf(request, start);
  const logged = accessLine({ address: '{remote}', request, answer, size: Buffer.byteLength(answer.body ?? ''), now });
  return {
    ...answer,
    logged,
    headers: { server: `nginx/${versionOfStart(start, LATEST)}`, date: httpDate(now), ...headers },
  };
}

const OWN_FOLDERS = ['/etc/nginx', '/var/cache/nginx', '/var/log/nginx'];
/** Images that run as a user of their own, with other folders. */
const UNPRIVILEGED = /(?:^|\/)(?:nginxinc\/nginx-unprivileged|bitnami\/nginx)(?:[:@]|$)/;

const NGINX = /(?:^|\/)nginx(?:-slim|-unprivileged)?(?:[:@]|$)/;

/** What the container says of itself decides whether the server comes up: then its program has to find out. */
function isUnusual(start: Start): boolean {
  const { container, beside } = start;
  const { readOnlyRootFilesystem, runAsUser = 0, capabilities } = container.securityContext ?? {};
  // Both want the same port.
  if (beside?.some((image) => NGINX.test(image))) return true;
  if (container.volumeMounts?.some(({ mountPath }) => OWN_FOLDERS.some((own) => isAtOrAround(mountPath, own))))
    return true;
  if (isRootShared(start)) return true;
  return (
    !UNPRIVILEGED.test(container.image ?? '') &&
    (readOnlyRootFilesystem === true || runAsUser !== 0 || capabilities?.drop !== undefined)
  );
}

/** What lies in a volume at the document root is others' to write, but for the API's objects: those are known. */
function isRootShared(start: Start): boolean {
  const { volumeMounts = [] } = start.container;
  const shared = volumeMounts.filter(({ mountPath }) => isAtOrAround(mountPath, ROOT));
  if (shared.length === 0) return false;
  const names = Object.keys(start.files());
  return shared.some(({ mountPath }) => !names.some((name) => name.startsWith(`${mountPath.replace(/\/$/, '')}/`)));
}

const isAtOrAround = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`) || folder.startsWith(path.endsWith('/') ? path : `${path}/`);

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
    tags: /^(latest|mainline|stable|alpine(3\.\d{1,2})?|perl|otel|trixie|bookworm|bullseye|buster|0\.\d+|1|1\.([0-9]|[12][0-9]|3[01])(\.\d{1,2})?)(-(alpine|alpine-slim|perl|slim|bookworm|bullseye|trixie|otel)[a-z0-9.-]*)?$|^(stable|mainline)-[a-z0-9.-]+$/,
    layersMB: [29.8, 33.3, 0.001, 0.001, 0.001, 0.002],
    files: nginxFiles(''),
    variant: (tag) => ({ files: nginxFiles(tag), env: nginxVariables(tag) }),
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
    readyAfterMs: READY_MS,
    isProgram: true,
    isUnusual,
    serve,
    logsRequests: () => true,
    log(start) {
      const { at, container } = start;
      const { entrypoint, master } = startLines(at, versionOfStart(start, LATEST), container.command?.[0] !== 'nginx');
      return [...entrypoint, ...master];
    },
  },
);
