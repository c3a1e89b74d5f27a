import type { PodHttpAnswer, PodHttpRequest, Start } from '@terrarium/engine';
import { answerReview } from './webhook.js';

/** The subcommands that answer the API server. */
const reviews = (argv: readonly string[]): boolean =>
  argv.includes('webhook') || argv.includes('crd-conversion-webhook');

const text = (body: string, status = 200): PodHttpAnswer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body,
});
const NOT_FOUND = text('404 page not found\n', 404);

/** The HTTP server of each image or subcommand. */
export function answer(request: PodHttpRequest, start: Start): PodHttpAnswer {
  const image = (start.container.image ?? '').split('/').at(-1)!.split(/[:@]/, 1)[0]!;
  const { argv, pod } = start;
  if (image === 'http-echo')
    return text(
      `${/^-{1,2}text=(.*)$/s.exec(argv.find((a) => /^-{1,2}text=/.test(a)) ?? '')?.[1] ?? argv[argv.findIndex((a) => /^-{1,2}text$/.test(a)) + 1] ?? 'hello-world'}\n`,
    );
  if (image === 'serve_hostname' || argv.includes('serve-hostname')) return text(pod.name);
  if (image !== 'agnhost') return echo(request, start);
  if (reviews(argv)) return answerReview(request, start);
  if (argv.includes('netexec')) return netexec(request, start);
  // It serves its own files, of which these are in the image.
  if (argv.includes('test-webserver')) return /^\/($|localhost\.(crt|key)$)/.test(request.path) ? text('') : NOT_FOUND;
  if (argv.includes('liveness')) return text('ok');
  return text('');
}

/** Tells everything about the request. */
function echo({ method, path, headers, body }: PodHttpRequest, { pod, env }: Start): PodHttpAnswer {
  const host = headers['host'] ?? pod.ip;
  const lines = Object.entries(headers)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `\t${name}=${value}`);
  return text(
    [
      '',
      '',
      `Hostname: ${pod.name}`,
      '',
      'Pod Information:',
      `\tnode name:\t${env['NODE_NAME'] ?? ''}`,
      `\tpod name:\t${env['POD_NAME'] ?? pod.name}`,
      `\tpod namespace:\t${env['POD_NAMESPACE'] ?? ''}`,
      `\tpod IP:\t${env['POD_IP'] ?? ''}`,
      '',
      'Request Information:',
      `\tmethod=${method}`,
      `\treal path=${path}`,
      `\tquery=${path.split('?')[1] ?? ''}`,
      '\trequest_version=1.1',
      `\trequest_uri=http://${host}:8080${path}`,
      '',
      'Request Headers:',
      ...lines,
      '',
      'Request Body:',
      body || '\t-no body in request-',
      '',
      '',
    ].join('\n'),
  );
}

/**
 * Models test/images/agnhost/netexec: the handlers that only answer. Left out: /dial, /shell, /upload, /redirect to
 * other hosts, changes of health.
 */
function netexec({ path, headers, body }: PodHttpRequest, { pod, at }: Start): PodHttpAnswer {
  const [route = '/', query = ''] = path.split('?', 2);
  const parameter = (name: string): string | undefined => new RegExp(`(?:^|&)${name}=([^&]*)`).exec(query)?.[1];
  switch (route) {
    case '/':
      return text(`NOW: ${new Date(at).toISOString().replace('T', ' ').replace('Z', '000000 +0000 UTC')}`);
    case '/hostname':
    case '/hostName':
      return text(pod.name);
    case '/clientip':
      return text('10.244.0.1:40000');
    case '/echo':
      return text(decoded(parameter('msg') ?? ''), Number(parameter('code') ?? 200) || 200);
    case '/healthz':
      return text('');
    case '/header':
      return text(headers[(parameter('key') ?? '').toLowerCase()] ?? '');
    case '/shutdown':
    case '/exit':
      return text('');
    case '/upload':
      return text(JSON.stringify({ output: body.length }), 200);
    default:
      return NOT_FOUND;
  }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
}
