import { scratchLayer } from '../../layers/index.js';
import type { PodHttpAnswer, PodHttpRequest, Start } from '@terrarium/engine';
import { serverImage } from '../../programs/server.js';

const HEALTH = { 'content-type': 'text/plain; charset=utf-8' };

function whoami({ method, path, headers }: PodHttpRequest, { pod }: Start): PodHttpAnswer {
  if (path === '/health') return { status: 200, headers: HEALTH, body: '' };
  if (path === '/api')
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: `${JSON.stringify({ hostname: pod.name, ip: ['127.0.0.1', pod.ip], headers: {}, url: '/api', host: headers['host'] ?? '', method })}\n`,
    };
  const own = Object.entries(headers)
    .filter(([name]) => name !== 'host')
    .map(([name, value]) => `${title(name)}: ${value}`)
    .sort();
  return {
    status: 200,
    headers: HEALTH,
    body: `${[`Hostname: ${pod.name}`, 'IP: 127.0.0.1', `IP: ${pod.ip}`, `${method} ${path} HTTP/1.1`, `Host: ${headers['host'] ?? pod.ip}`, ...own].join('\n')}\n\n`,
  };
}

const title = (name: string): string => name.replace(/(^|-)[a-z]/g, (c) => c.toUpperCase());

export const image = serverImage(
  {
    names: ['traefik/whoami', 'containous/whoami', 'jwilder/whoami'],
    tags: /^(latest|v?1(\.\d{1,2}){0,2})$/,
    layersMB: [0.3, 2.5],
    files: scratchLayer,
    commands: 'any',
    config: { exposedPorts: [80], entrypoint: ['/whoami'] },
  },
  { ports: [80], declared: true, readyAfterMs: 20, serve: whoami, log: () => ['Starting up on port 80'] },
);
