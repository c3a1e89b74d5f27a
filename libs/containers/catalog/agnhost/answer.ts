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

/** The HTTP server of each image, and of agnhost's sub-commands that are no programs of the kernel. */
export function answer(request: PodHttpRequest, start: Start): PodHttpAnswer {
  const image = (start.container.image ?? '').split('/').at(-1)!.split(/[:@]/, 1)[0]!;
  const { argv, pod } = start;
  if (image === 'http-echo')
    return text(
      `${/^-{1,2}text=(.*)$/s.exec(argv.find((a) => /^-{1,2}text=/.test(a)) ?? '')?.[1] ?? argv[argv.findIndex((a) => /^-{1,2}text$/.test(a)) + 1] ?? 'hello-world'}\n`,
    );
  if (image === 'serve_hostname') return text(pod.name);
  if (image !== 'agnhost') return echo(request, start);
  if (reviews(argv)) return answerReview(request, start);
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
