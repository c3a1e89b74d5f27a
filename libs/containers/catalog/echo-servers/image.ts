import type { Start } from '@terrarium/engine';
import { scratchLayer } from '../../layers/index.js';
import { serverImage } from '../../programs/server.js';
import { answer } from '../agnhost/answer.js';

/** serve_hostname's flag has its own default. */
const portsOf = ({ container }: Start): readonly number[] =>
  /serve_hostname[:@]/.test(container.image ?? '') ? [9_376] : [8_080];

/** Servers that answer with what they were asked. */
export const image = serverImage(
  {
    names: [
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
    layersMB: [3.2, 11.8, 10.1],
    files: scratchLayer,
    commands: 'any',
    config: { exposedPorts: [8080], entrypoint: ['/echo-server'] },
  },
  { declared: true, portsOf, readyAfterMs: 50, serve: answer },
);
