import { imageName } from '../../machinery/questions/metrics-server.js';
import { hash32 } from '../../machinery/random.js';
import type { Usage } from '../../machinery/questions/usage.js';

const MIB = 2 ** 20;

/** What servers use that wait for requests, by the end of their image's name: thousandths of a CPU, and MiB. */
const IDLE: readonly (readonly [images: RegExp, cpu: number, memory: number])[] = [
  [/\/kube-apiserver$/, 42, 268],
  [/\/kube-controller-manager$/, 15, 56],
  [/\/kube-scheduler$/, 6, 28],
  [/\/etcd$/, 20, 46],
  [/\/coredns$/, 2, 16],
  [/\/kube-proxy$/, 1, 20],
  [/\/kindnetd$/, 1, 13],
  [/\/metrics-server(-amd64)?$/, 4, 22],
  [/\/(calico-)?(cni|node)$/, 24, 128],
  [/\/(typha|calico-kube-controllers|kube-controllers)$/, 3, 32],
  [/\/cilium(-ci)?$/, 30, 180],
  [/\/flannel$/, 4, 18],
  [/\/(ingress-nginx\/controller|controller)$/, 2, 92],
  [/(^|\/)nginx(-slim)?$/, 0, 4],
  [/\/hpa-example$/, 1, 12],
  [/(^|\/)httpd$/, 1, 7],
  [/(^|\/)(php|wordpress)$/, 1, 36],
  [/(^|\/)redis$/, 3, 6],
  [/(^|\/)memcached$/, 1, 3],
  [/(^|\/)(postgres|postgresql)$/, 4, 44],
  [/(^|\/)(mysql|mariadb|percona)$/, 5, 380],
  [/(^|\/)mongo(db)?$/, 6, 120],
  [/(^|\/)rabbitmq$/, 6, 120],
  [/(^|\/)(kafka|cp-kafka)$/, 18, 540],
  [/(^|\/)(zookeeper|kubernetes-zookeeper)$/, 3, 96],
  [/(^|\/)(elasticsearch|opensearch)$/, 20, 1_240],
  [/(^|\/)(cassandra)$/, 25, 1_100],
  [/(^|\/)(prometheus)$/, 8, 190],
  [/(^|\/)(grafana)$/, 3, 74],
  [/(^|\/)(tomcat|jetty|jenkins|openjdk|eclipse-temurin)$/, 2, 190],
  [/(^|\/)(hello-app|agnhost|echoserver|kuard-amd64|podinfo|whoami)$/, 0, 6],
  [/(^|\/)pause$/, 0, 0.3],
];
/** Of a server that is none of these, and of a program. */
const SERVER: readonly [cpu: number, memory: number] = [1, 11];
const PROGRAM: readonly [cpu: number, memory: number] = [0, 0.4];

/**
 * What a container uses while nothing is asked of it: about the same always, and not the same as its replicas.
 * `isServer`: whether its image tells of a server.
 */
export function idleUsage(image: string, identity: string, isServer: boolean): Usage {
  const name = imageName(image);
  const found = IDLE.find(([images]) => images.test(name));
  const [cpu, memory] = found ? [found[1], found[2]] : isServer ? SERVER : PROGRAM;
  const spread = 0.94 + (hash32(identity) % 1_000) / 8_000;
  return { cpu: cpu * spread, memory: Math.round((memory * spread * MIB) / 4_096) * 4_096 };
}
