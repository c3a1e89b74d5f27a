import type { PodHttpAnswer, PodHttpRequest, Start } from '@terrarium/engine';
import { documentAt } from '../../programs/documents.js';
import { serverImage } from '../../programs/server.js';
import { accessTime, LATEST, nameless, READY_MS, resumeLines } from '../../servers/httpd/lines.js';
import { versionOfStart } from '../bases.js';
import { httpdFiles, httpdVariables, INDEX } from './files.js';

const ROOT = '/usr/local/apache2';
const PAGES = { '/index.html': INDEX };
const NOT_FOUND =
  '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>404 Not Found</title>\n</head><body>\n<h1>Not Found</h1>\n<p>The requested URL was not found on this server.</p>\n</body></html>\n';

/** What the container brings decides what the server does: then its program has to find out. */
function isUnusual({ container }: Start): boolean {
  const { readOnlyRootFilesystem, runAsUser = 0 } = container.securityContext ?? {};
  const isOwn = container.volumeMounts?.some(({ mountPath }) => `${mountPath}/`.startsWith(`${ROOT}/`));
  return isOwn === true || readOnlyRootFilesystem === true || runAsUser !== 0;
}

function answerOf({ path }: PodHttpRequest, start: Start): PodHttpAnswer {
  const server = { server: `Apache/${versionOfStart(start, LATEST)} (Unix)` };
  const page = documentAt(start, `${ROOT}/htdocs`, path, PAGES);
  return page
    ? { status: 200, headers: { ...page.headers, ...server }, body: page.body }
    : { status: 404, headers: { 'content-type': 'text/html; charset=iso-8859-1', ...server }, body: NOT_FOUND };
}

/** Apache. */
export const image = serverImage(
  {
    names: ['httpd', 'public.ecr.aws/docker/library/httpd'],
    tags: /^(latest|alpine(3\.\d{1,2})?|trixie|bookworm|bullseye|buster|2|2\.[24](\.\d{1,2})?)(-(alpine|bookworm|bullseye|trixie)[a-z0-9.]*)?$/,
    layersMB: [29.8, 0.001, 4.1, 26.2, 0.001],
    files: httpdFiles(''),
    variant: (tag) => ({ files: httpdFiles(tag), env: httpdVariables(tag) }),
    config: {
      exposedPorts: [80],
      cmd: ['httpd-foreground'],
      stopSignal: 'SIGWINCH',
      workingDir: ROOT,
      env: httpdVariables(''),
    },
  },
  {
    ports: [80],
    readyAfterMs: READY_MS,
    isProgram: true,
    isUnusual,
    logsRequests: () => true,
    serve(request, start, _read, now) {
      const answer = answerOf(request, start);
      const size = request.method === 'HEAD' ? 0 : Buffer.byteLength(answer.body ?? '');
      const { method, path } = request;
      const logged = `{remote} - - ${accessTime(now)} "${method} ${path} HTTP/1.1" ${answer.status} ${size || '-'}`;
      return { ...answer, logged };
    },
    log: (start) => [
      nameless(start.pod.ip),
      nameless(start.pod.ip),
      ...resumeLines(start.at + READY_MS, versionOfStart(start, LATEST), 'httpd -D FOREGROUND'),
    ],
  },
);
