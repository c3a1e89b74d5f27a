import { Pods } from '../../../kinds/index.js';
import { activeEffects } from '../../../kinds/terrarium/fault/active.js';
import type { Reader } from '../../../machinery/client.js';
import { parseCertificate } from '../../../machinery/crypto/x509/certificate.js';
import { DerError, compareBytes } from '../../../machinery/crypto/x509/der.js';
import { commonName } from '../../../machinery/crypto/x509/name.js';
import type { PodHttpAnswer } from '../../../machinery/requests/http.js';
import type { Millis } from '../../../machinery/time/time.js';
import { ALERTS } from '../../cni/tls.js';
import { JSON_TYPE, NOT_FOUND, TEXT } from './answers.js';

/** Of what the API server keeps, and so of the newest etcd that can read it. */
const STORAGE = '3.6.0';
const AUTHORITY = commonName('etcd-ca');
const NO_LEADER = 'RAFT NO LEADER';
const METRICS_TYPE = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores' };
const GATEWAY = '/v3/';

/**
 * Why etcd's port for clients ends a handshake: the number of TLS' alert. Compares names of authorities, not
 * signatures. Models --client-cert-auth with --trusted-ca-file.
 */
export function refuseEtcdClient(certificate: Uint8Array | undefined, now: Millis): number | undefined {
  if (certificate === undefined) return ALERTS.certificateRequired;
  try {
    const { issuer, notBefore, notAfter } = parseCertificate(certificate);
    if (compareBytes(issuer, AUTHORITY) !== 0) return ALERTS.unknownAuthority;
    return now < notBefore || now > notAfter ? ALERTS.badCertificate : undefined;
  } catch (error) {
    if (error instanceof DerError) return ALERTS.badCertificate;
    throw error;
  }
}

/**
 * Models server/etcdserver/api/etcdhttp: health, version and metrics, at the ports for clients and for metrics.
 * Left out: the JSON gateway of the store; metrics of what is not measured (disks, the network, the process).
 */
export function serveEtcd(target: string, _settings: unknown, read: Reader, node: string): PodHttpAnswer {
  const [path = '', query = ''] = target.split('?');
  const hasLeader = activeEffects(read, 'etcd').every(({ fault }) => fault !== 'quorum');
  switch (path) {
    case '/health':
      return health(hasLeader);
    case '/livez':
      return checks(['serializable_read'], hasLeader, query);
    case '/readyz':
      return checks(['data_corruption', 'serializable_read', 'linearizable_read'], hasLeader, query);
    case '/version':
      return json(200, { etcdserver: versionOn(read, node), etcdcluster: STORAGE, storage: STORAGE });
    case '/metrics':
      return { status: 200, headers: METRICS_TYPE, body: metrics(hasLeader, versionOn(read, node)) };
  }
  if (path.startsWith(GATEWAY)) return json(501, { code: 12, message: `${path} is not simulated: ask etcdctl` });
  return NOT_FOUND;
}

const json = (status: number, body: object): PodHttpAnswer => ({
  ...{ status, headers: JSON_TYPE, body: JSON.stringify(body) },
});

const health = (hasLeader: boolean): PodHttpAnswer =>
  hasLeader ? json(200, { health: 'true', reason: '' }) : json(503, { health: 'false', reason: NO_LEADER });

/** A read that others have to agree to fails without a leader; so does who asks whether it is ready. */
function checks(names: readonly string[], hasLeader: boolean, query: string): PodHttpAnswer {
  const isFailed = (name: string): boolean => name === 'linearizable_read' && !hasLeader;
  const lines = names.map((name) =>
    isFailed(name) ? `[-]${name} failed: etcdserver: request timed out\n` : `[+]${name} ok\n`,
  );
  if (names.some(isFailed)) return { status: 503, headers: TEXT, body: `${lines.join('')}\n` };
  const isVerbose = query.split('&').some((word) => word.split('=')[0] === 'verbose');
  return { status: 200, headers: TEXT, body: `${isVerbose ? lines.join('') : ''}ok\n` };
}

/** By the image of the etcd that runs on the node. */
function versionOn(read: Reader, node: string): string {
  const etcd = read
    .byIndex(Pods, 'nodeName', node)
    .flatMap(({ spec }) => (spec.hostNetwork ? spec.containers : []))
    .find(({ name }) => name === 'etcd');
  return /:v?(\d+\.\d+\.\d+)/.exec(etcd?.image ?? '')?.[1] ?? STORAGE;
}

const gauge = (name: string, help: string, value: number, labels = ''): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name}${labels} ${value}\n`;

const metrics = (hasLeader: boolean, version: string): string =>
  [
    gauge(
      'etcd_cluster_version',
      'Which version is running. 1 for "cluster_version" label with current cluster version',
      1,
      `{cluster_version="${STORAGE.replace(/\.\d+$/, '')}"}`,
    ),
    gauge('etcd_server_has_leader', 'Whether or not a leader exists. 1 is existence, 0 is not.', Number(hasLeader)),
    gauge('etcd_server_is_leader', 'Whether or not this member is a leader. 1 if is, 0 otherwise.', Number(hasLeader)),
    gauge(
      'etcd_server_version',
      "Which version is running. 1 for 'server_version' label with current version.",
      1,
      `{server_version="${version}"}`,
    ),
  ].join('');
