import type { Options } from '../../framework/options.js';
import type { ToolContext } from '../../framework/tool.js';
import { diskOf } from '../disk.js';
import { readService } from '../systemd/services.js';
import { KubeadmFailure } from './failure.js';

const MANIFESTS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'].map(
  (name) => `/etc/kubernetes/manifests/${name}.yaml`,
);
const PORTS: readonly (readonly [port: number, manifest: string])[] = [
  [6_443, MANIFESTS[0]!],
  [10_259, MANIFESTS[2]!],
  [10_257, MANIFESTS[1]!],
];
const ETCD_PORTS = [2_379, 2_380];
const ETCD_DATA = '/var/lib/etcd';

/**
 * The checks of `kubeadm init` before all else, which find what a cluster has left on the node. Models
 * cmd/kubeadm/app/preflight/checks.go. Throws KubeadmFailure.
 */
export function checkInitNode(tool: ToolContext, options: Options): void {
  const ignored = (options.value('ignore-preflight-errors') ?? '').toLowerCase().split(',');
  const isIgnored = ([name]: Finding): boolean => ignored.includes('all') || ignored.includes(name.toLowerCase());
  const found = findErrors(tool);
  for (const [name, text] of found.filter(isIgnored)) tool.err(`\t[WARNING ${name}]: ${text}\n`);
  const errors = found.filter((one) => !isIgnored(one));
  if (errors.length === 0) return;
  throw new KubeadmFailure(
    'error: error execution phase preflight: [preflight] Some fatal errors occurred:\n' +
      errors.map(([name, text]) => `\t[ERROR ${name}]: ${text}\n`).join('') +
      '[preflight] If you know what you are doing, you can make a check non-fatal with `--ignore-preflight-errors=...`',
  );
}

type Finding = readonly [name: string, text: string];

function findErrors({ sys }: ToolContext): Finding[] {
  if (sys.user !== 0) return [['IsPrivilegedUser', 'user is not running as root']];
  const disk = diskOf(sys);
  const inUse = (port: number): Finding => [`Port-${port}`, `Port ${port} is in use`];
  const isUp = readService(sys, disk, 'kubelet')?.state.isActive === true;
  return [
    ...PORTS.filter(([, manifest]) => disk.has(manifest)).map(([port]) => inUse(port)),
    ...MANIFESTS.filter((path) => disk.has(path)).map((path): Finding => [
      `FileAvailable-${path.replaceAll('/', '-')}`,
      `${path} already exists`,
    ]),
    ...(isUp ? [inUse(10_250)] : []),
    ...(disk.has(MANIFESTS[3]!) ? ETCD_PORTS.map(inUse) : []),
    ...(holdsFiles(sys)
      ? [[`DirAvailable-${ETCD_DATA.replaceAll('/', '-')}`, `${ETCD_DATA} is not empty`] as const]
      : []),
  ];
}

const holdsFiles = (sys: ToolContext['sys']): boolean =>
  sys.access(ETCD_DATA, '') && sys.readDirectory(ETCD_DATA).length > 0;
