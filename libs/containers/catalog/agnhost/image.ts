import type { Start } from '@terrarium/engine';
import { serverImage, utc } from '../../programs/server.js';
import { flag } from '../../programs/task.js';
import { answer } from './answer.js';

/** Where each subcommand listens, and the flag that says otherwise. Those that serve nothing are not here. */
const PORTS: Readonly<Record<string, readonly [flag: string, port: string]>> = {
  netexec: ['http-port', '8080'],
  liveness: ['port', '8080'],
  nettest: ['port', '8080'],
  'test-webserver': ['port', '80'],
  'serve-hostname': ['port', '9376'],
  guestbook: ['http-port', '80'],
  webhook: ['port', '443'],
  'crd-conversion-webhook': ['port', '443'],
};

function portsOf(start: Start): readonly number[] {
  if (!/\/agnhost[:@]/.test(start.container.image ?? '')) return [8080];
  const found = PORTS[start.argv.find((a) => a in PORTS) ?? ''];
  return found ? [Number(flag(start, ...found))] : [];
}

/** Test servers that answer with what they were asked. */
export const image = serverImage(
  {
    names: [
      'registry.k8s.io/e2e-test-images/agnhost',
      'registry.k8s.io/e2e-test-images/echoserver',
      'registry.k8s.io/echoserver',
      'k8s.gcr.io/echoserver',
      'gcr.io/google_containers/echoserver',
      'gcr.io/k8s-minikube/kicbase-echo-server',
      'kicbase/echo-server',
      'ealen/echo-server',
      'hashicorp/http-echo',
      'mendhak/http-https-echo',
      'registry.k8s.io/serve_hostname',
      'registry.k8s.io/e2e-test-images/liveness',
    ],
    tags: /^(latest|v?\d+(\.\d{1,3}){0,2})(-[a-z0-9.]+)?$/,
    layersMB: [3.2, 11.8, 40.1],
    config: { exposedPorts: [8080], entrypoint: ['/agnhost'], cmd: ['pause'] },
  },
  {
    declared: true,
    portsOf,
    readyAfterMs: 50,
    serve: answer,
    log: ({ argv, at }) =>
      argv.includes('netexec')
        ? [
            `I${utc(at).iso.slice(5, 7)}${utc(at).iso.slice(8, 10)} ${utc(at).iso.slice(11, 23)}000       1 log.go:195] Started HTTP server on port 8080`,
          ]
        : argv.includes('pause')
          ? ['Paused']
          : [],
  },
);
