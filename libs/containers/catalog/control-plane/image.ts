import type { Start } from '@terrarium/engine';
import { parseSettings } from '../../../engine/node/proxy/settings.js';
import { formatKlogLine } from '../../../engine/machinery/text/klog.js';
import { distrolessLayer } from '../../layers/index.js';
import { serverImage } from '../../programs/server.js';
import { linesOf } from './lines.js';

const klog = (at: number, text: string, level = 'I'): string => formatKlogLine(level, at, text);

/** A level and a place of the source stand for klog's header. */
const print = (at: number, line: string): string =>
  /^[IWEF] \S+\.go:/.test(line) ? klog(at, line.slice(2), line.charAt(0)) : line;

/** kube-proxy's, by the configuration that is mounted. */
const modeOf = (start: Start): string => parseSettings(start.files()['/var/lib/kube-proxy/config.conf'] ?? '').mode;

/** Ports of their own by default; flags of another one are not looked at. */
const PORTS: Readonly<Record<string, readonly number[]>> = {
  'kube-apiserver': [6_443],
  'kube-controller-manager': [10_257],
  'kube-scheduler': [10_259],
};

function portsOf({ argv, container }: Start): readonly number[] {
  const [name = ''] = (container.image ?? '').split('/').at(-1)!.split(':');
  const own = argv.find((word) => word.startsWith('--secure-port='))?.slice('--secure-port='.length);
  return own === undefined ? (PORTS[name] ?? []) : [Number(own)];
}

/** The control plane's own programs: their work is done by the cluster's components. */
export const image = serverImage(
  {
    names: ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'].map(
      (n) => `registry.k8s.io/${n}`,
    ),
    tags: /^v1\.\d{1,2}\.\d{1,2}$/,
    layersMB: [0.5, 26.4],
    files: distrolessLayer,
    commands: 'any',
  },
  {
    declared: true,
    probed: true,
    readyAfterMs: 900,
    bindsBeside: portsOf,
    takenPort: (port, { at, argv }) => {
      const address = argv.find((word) => word.startsWith('--bind-address='))?.slice('--bind-address='.length);
      const place = `${address ?? '0.0.0.0'}:${port}`;
      const why = `failed to create listener: failed to listen on ${place}: listen tcp ${place}: bind: address already in use`;
      return { code: 1, lines: [klog(at, `run.go:72] "command failed" err="${why}"`, 'E')] };
    },
    fails: ({ fault, at }) =>
      fault === undefined ? undefined : { code: 1, lines: fault.split('\n').map((line) => print(at, line)) },
    log: (start) => linesOf(start.container.image, start.pod.ip, modeOf(start)).map((line) => print(start.at, line)),
  },
);
