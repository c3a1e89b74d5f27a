/** Plain inputs for the specs of the kubelet's parts. */
import type { Container, ContainerStatus, Node, Pod, PodSpec, PodStatus } from '../../api/core_v1.js';
import type { Reader } from '../../machinery/client.js';
import type { Kind } from '../../machinery/kind.js';
import type { Key, KubeObject } from '../../machinery/meta/object.js';
import { timestamp } from '../../machinery/time/time.js';
import type { Image, ImageCatalog, Process } from '../cri/image.js';
import { makeCatalog } from '../cri/images/catalog.js';
import type { Delays } from './delays.js';

/** A whole second, so that statuses and records agree. */
export const NOW = Date.UTC(2026, 0, 1, 12);
export const STAMP = timestamp(NOW);

export const container = (name = 'c', more: Partial<Container> = {}): Container => ({
  name,
  image: 'nginx:1.27',
  ...more,
});

export const pod = (spec: Partial<PodSpec> = {}, status: PodStatus = {}, metadata: Pod['metadata'] = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', uid: 'u1', ...metadata },
  spec: { containers: [container()], nodeName: 'worker-1', ...spec },
  status,
});

export const node = (status: Node['status'] = {}, more: Partial<Node> = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'worker-1' },
  spec: { podCIDR: '10.244.1.0/24' },
  status: { addresses: [{ type: 'InternalIP', address: '172.18.0.2' }], ...status },
  ...more,
});

export const containerStatus = (name: string, more: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name,
  image: 'docker.io/library/nginx:1.27',
  imageID: '',
  ready: false,
  restartCount: 0,
  started: false,
  ...more,
});

export const running = (name: string, more: Partial<ContainerStatus> = {}): ContainerStatus =>
  containerStatus(name, {
    containerID: `containerd://${name}`,
    ready: true,
    started: true,
    state: { running: { startedAt: STAMP } },
    ...more,
  });

export const waiting = (
  name: string,
  reason = 'ContainerCreating',
  more: Partial<ContainerStatus> = {},
): ContainerStatus => containerStatus(name, { state: { waiting: { reason } }, ...more });

export const terminated = (name: string, exitCode: number, more: Partial<ContainerStatus> = {}): ContainerStatus =>
  containerStatus(name, {
    containerID: `containerd://${name}`,
    state: { terminated: { exitCode, startedAt: STAMP, finishedAt: STAMP } },
    ...more,
  });

export const byName = (...statuses: readonly ContainerStatus[]): Map<string, ContainerStatus> =>
  new Map(statuses.map((status) => [status.name, status]));

/** A reader of these objects. */
export function readerOf(...objects: readonly KubeObject[]): Reader {
  const ofKind = (kind: Kind): KubeObject[] => objects.filter((object) => object.kind === kind.kind);
  const reader = {
    get: (kind: Kind, { namespace, name }: Key) =>
      ofKind(kind).find((o) => o.metadata.name === name && (o.metadata.namespace ?? '') === namespace),
    list: (kind: Kind, namespace?: string) =>
      ofKind(kind).filter((o) => namespace === undefined || o.metadata.namespace === namespace),
    byIndex: (kind: Kind, index: string, value: string) =>
      ofKind(kind).filter((o) => kind.indexes?.[index]?.(o).includes(value)),
  };
  return reader as unknown as Reader;
}

export const configMap = (name: string, data?: Record<string, string>): KubeObject =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' }, data }) as KubeObject;

/** `data` as the API has it: in base64. */
export const secret = (name: string, data?: Record<string, string>): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'shop' }, data }) as KubeObject;

/** Delays that always take as long as they say: 1 s for a sync, 2 s for a pull. */
export const delays: Delays = {
  instant: false,
  sandbox: () => 500,
  create: () => 200,
  pull: () => 2_000,
  sync: () => 1_000,
  retry: (failure) => (failure === 'network' ? 1_000 : 15_000),
};

export const process = (more: Partial<Process> = {}): Process => ({
  listens: [80],
  readyAfterMs: 0,
  lines: () => [],
  ...more,
});

const NGINX: Image = {
  repositories: ['docker.io/library/nginx'],
  tags: /^1\.2\d$/,
  layers: [10_000_000],
  config: { entrypoint: ['/entrypoint.sh'], cmd: ['nginx'], env: { VERSION: '1' } },
  start: () => process(),
};

/** A registry that has nginx:1.20 to 1.29 only. */
export const images: ImageCatalog = makeCatalog([NGINX], NGINX, {
  isPublished: (repository) => !repository.startsWith('docker.io/library/'),
});
