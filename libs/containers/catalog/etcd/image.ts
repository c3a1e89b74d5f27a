import { distrolessLayer } from '../../layers/index.js';
import { serverImage, utc } from '../../programs/server.js';

export const image = serverImage(
  {
    names: ['registry.k8s.io/etcd', 'quay.io/coreos/etcd', 'gcr.io/etcd-development/etcd', 'bitnami/etcd'],
    tags: /^(latest|v?3\.\d(\.\d{1,2})?(-\d)?)$/,
    layersMB: [0.5, 22.1],
    files: distrolessLayer,
    commands: 'any',
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
