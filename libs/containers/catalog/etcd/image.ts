import type { Image, Start } from '@terrarium/engine';
import { distrolessLayer, executable, joinLayers } from '../../layers/index.js';
import { serverImage, utc } from '../../programs/server.js';
import { readFlag } from '../../servers/etcd/flags.js';

const ETCD_SIZE = 24_000_000;
const CLIENT_SIZE = 16_000_000;
/** The manifest that says who it is, and what the API server keeps. */
const NODE_FOLDERS = ['/etc/kubernetes/manifests', '/run/etcd', '/run/kubeadm'];

/** As the cluster's own etcd: its data is the cluster's state. */
const summary = serverImage(
  {
    names: ['registry.k8s.io/etcd', 'quay.io/coreos/etcd', 'gcr.io/etcd-development/etcd', 'bitnami/etcd'],
    tags: /^(latest|v?3\.\d(\.\d{1,2})?(-\d)?)$/,
    layersMB: [0.5, 22.1],
    files: joinLayers(distrolessLayer, {
      '/usr/local/bin/etcd': executable('etcd:etcd', ETCD_SIZE),
      '/usr/local/bin/etcdctl': executable('node:etcdctl', CLIENT_SIZE),
      '/usr/local/bin/etcdutl': executable('node:etcdutl', CLIENT_SIZE),
    }),
    commands: 'any',
    config: { cmd: ['/usr/local/bin/etcd'] },
  },
  {
    ports: [2379, 2380, 2381],
    readyAfterMs: 1200,
    fails: ({ fault, at }) =>
      fault === undefined ? undefined : { code: 1, lines: [fault.replace('"ts":""', `"ts":"${utc(at).iso}"`)] },
    log: ({ at, pod }) => [
      `{"level":"info","ts":"${utc(at).iso}","caller":"etcdmain/etcd.go:64","msg":"Running: ","args":["etcd"]}`,
      `{"level":"info","ts":"${utc(at).iso}","caller":"etcdserver/server.go:1810","msg":"published local member to cluster through raft","local-member-attributes":"{Name:${pod.node} ClientURLs:[https://${pod.ip}:2379]}"}`,
      `{"level":"info","ts":"${utc(at).iso}","caller":"embed/serve.go:283","msg":"serving client traffic securely","traffic":"grpc+http","address":"127.0.0.1:2379"}`,
    ],
  },
);

/** One member that speaks plain HTTP: its program runs, and keeps what is written to it. */
function isOwnStore({ argv, pod }: Start): boolean {
  const isEtcd = /(?:^|\/)etcd$/.test(argv[0] ?? '');
  const isPlain = readFlag(argv, 'listen-client-urls', 'http:').startsWith('http:');
  return isEtcd && isPlain && pod.namespace !== 'kube-system' && !readFlag(argv, 'initial-cluster').includes(',');
}

export const image: Image = {
  ...summary,
  nodeFolders: NODE_FOLDERS,
  start(start) {
    const member = isOwnStore(start) ? undefined : summary.start(start);
    return member && { ...member, standsIn: true };
  },
};
