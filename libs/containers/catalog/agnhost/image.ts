import type { Image, Start } from '@terrarium/engine';
import { serverImage, serverProcess } from '../../programs/server.js';
import { flag } from '../../programs/task.js';
import { coredns, keptOf } from '../../servers/coredns/index.js';
import { answer } from './answer.js';
import { agnhostFiles } from './files.js';

const serveNames = serverProcess(coredns);
/** The sub-commands that answer the API server. */
const WEBHOOKS: readonly string[] = ['webhook', 'crd-conversion-webhook'];

const portsOf = (start: Start): readonly number[] =>
  WEBHOOKS.includes(start.argv[1] ?? '') ? [Number(flag(start, 'port', '443'))] : [];

const summary = serverImage(
  {
    names: ['registry.k8s.io/e2e-test-images/agnhost', 'k8s.gcr.io/e2e-test-images/agnhost'],
    tags: /^(latest|v?\d+(\.\d{1,3}){0,2})(-[a-z0-9.]+)?$/,
    layersMB: [3.2, 11.8, 40.1],
    files: agnhostFiles,
    config: { exposedPorts: [8080], entrypoint: ['/agnhost'], cmd: ['pause'] },
  },
  {
    portsOf,
    readyAfterMs: 50,
    serve: answer,
    log: ({ argv }) => (argv.includes('pause') ? ['Paused'] : []),
    // pause answers SIGTERM with 2.
    stop: { afterMs: 5, code: 2 },
  },
);

/**
 * Sub-commands that only wait, or answer the API server, are known by their summaries. All others run in a machine,
 * where the program refuses those that are not simulated.
 */
const isSummary = (name = ''): boolean => name === 'pause' || WEBHOOKS.includes(name);
/** The image has CoreDNS, too. */
const isCoredns = ({ argv }: Start): boolean => argv[0] === '/coredns';

/** The test program of Kubernetes' end-to-end tests. */
export const image: Image = {
  ...summary,
  keeps: (start) => (isCoredns(start) ? keptOf(start) : undefined),
  start: (start) => {
    if (isCoredns(start)) return serveNames(start);
    return isSummary(start.argv[1]) ? summary.start(start) : undefined;
  },
};
