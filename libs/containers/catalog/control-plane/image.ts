import { distrolessLayer } from '../../layers/index.js';
import { serverImage, utc } from '../../programs/server.js';

const klog = (at: number, text: string, level = 'I'): string => {
  const { iso } = utc(at);
  return `${level}${iso.slice(5, 7)}${iso.slice(8, 10)} ${iso.slice(11, 23)}000       1 ${text}`;
};

/** A level and a place of the source stand for klog's header. */
const print = (at: number, line: string): string =>
  /^[IWEF] \S+\.go:/.test(line) ? klog(at, line.slice(2), line.charAt(0)) : line;

/** 'v1.36.3' of 'registry.k8s.io/kube-proxy:v1.36.3'. */
const versionOf = (image = ''): string => image.slice(image.lastIndexOf(':') + 1);

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
    fails: ({ fault, at }) =>
      fault === undefined ? undefined : { code: 1, lines: fault.split('\n').map((line) => print(at, line)) },
    log: ({ at, container }) => [
      klog(at, `options.go:263] external host was not specified, using the node's address`),
      klog(at, `server.go:147] "Version: ${versionOf(container.image)}" component="${container.name}"`),
      klog(at, 'server.go:149] "Golang settings" GOGC="" GOMAXPROCS="" GOTRACEBACK=""'),
    ],
  },
);
