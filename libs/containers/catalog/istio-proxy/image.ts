import type { Image, LogLine, Process, Start } from '@terrarium/engine';
import { executable, joinLayers } from '../../layers/index.js';
import { serverImage } from '../../programs/server.js';
import { withAgent } from '../../servers/istio/proxy/agent.js';
import { answerOwn } from '../../servers/istio/proxy/admin.js';
import { rulesOf } from '../../servers/istio/proxy/iptables-rules.js';
import { gatewayPorts, gatewayProxy, OWN_PORTS, READY_MS, sidecarProxy } from '../../servers/istio/proxy/sidecar.js';
import { debian, shareLayer, withDebianPackages } from '../bases.js';

const AGENT = '/usr/local/bin/pilot-agent';
const ENVOY_BYTES = 98_000_000;
const RULES_MS = 120;
const STOP = { afterMs: 50, code: 0 };

const files = shareLayer('istio proxyv2', () =>
  joinLayers(withDebianPackages(debian('bookworm'), 'curl', 'iptables', 'iproute2', 'procps'), {
    '/usr/local/bin/envoy': executable('unsimulated', ENVOY_BYTES),
  }),
);

const spec = {
  names: ['istio/proxyv2', 'gcr.io/istio-release/proxyv2', 'registry.istio.io/release/proxyv2'],
  tags: /^1\.\d+(\.\d+)?(-[\w.]+)?$/,
  layersMB: [29.5, 4.1, 81.7],
  files,
  commands: 'any',
  config: { entrypoint: [AGENT], user: '0' },
} as const;

const sidecar = serverImage(spec, {
  ports: [...OWN_PORTS, 15_001, 15_006],
  readyAfterMs: READY_MS,
  serve: (request, start) => answerOwn(start, request, undefined),
  proxy: sidecarProxy,
});

const gateway = serverImage(spec, {
  ports: OWN_PORTS,
  portsOf: gatewayPorts,
  readyAfterMs: READY_MS,
  serve: (request, start) => answerOwn(start, request, undefined),
  proxy: gatewayProxy,
});

/** Writes the rules that lead connections to the proxy, and ends. What they do: node/network/redirects.ts. */
function writeRules({ argv, at }: Start): Process {
  const stamp = `${new Date(at).toISOString().slice(0, 23)}000Z`;
  const lines: LogLine[] = [
    { at: 20, text: `${stamp}\tinfo\tIstio iptables environment:` },
    { at: 40, text: `${stamp}\tinfo\tRunning iptables-restore with the following input:` },
    ...rulesOf(argv).map((text) => ({ at: 40, text })),
  ];
  return {
    exit: { afterMs: RULES_MS, code: 0 },
    listens: [],
    readyAfterMs: 0,
    stop: STOP,
    lines: (until) => lines.filter((line) => line.at <= until),
  };
}

/**
 * Istio's proxy: beside an application, as a gateway, and as the init container that leads connections to it.
 * Left out: HTTP/2, Telemetry, EnvoyFilter, WasmPlugin, outlier detection, connection pools, consistent hashes.
 */
export const image: Image = {
  ...sidecar,
  start(start) {
    if (start.argv[1] === 'istio-iptables') return writeRules(start);
    if (start.argv[1] !== 'proxy') return undefined;
    const process = (start.argv[2] === 'router' ? gateway : sidecar).start(start);
    return process?.program && { ...process, program: (read) => withAgent(process.program!(read)) };
  },
};
