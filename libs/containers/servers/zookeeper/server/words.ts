import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Running } from '../../serve.js';
import type { Outcome, Own } from './quorum.js';

/** Commands of four letters that a client sends instead of a session. */
export const WORDS: readonly string[] = ['ruok', 'srvr', 'stat', 'mntr', 'conf', 'isro', 'cons', 'envi'];
/** Those that say something of the ensemble. */
export const ABOUT_QUORUM: readonly string[] = ['srvr', 'stat', 'mntr', 'isro'];

export const isAllowed = (words: Bytes, word: string): boolean =>
  words === '*' ||
  words
    .split(',')
    .map((one) => one.trim())
    .includes(word);

const NOT_SERVING = 'This ZooKeeper instance is not currently serving requests\n';

/** `role`: undefined without a quorum. */
export function answerWord(server: Running<Own>, word: string, role: Outcome['role']): Bytes {
  const { own, connections } = server;
  const { configuration, tree, version, packets } = own;
  if (word === 'ruok') return 'imok';
  if (word === 'isro') return role === undefined ? 'null' : 'rw';
  if (word === 'conf') return describe(own);
  if (word === 'envi') return `Environment:\nzookeeper.version=${version}\nhost.name=${server.sys.hostname}\n`;
  const clients = connections.filter(
    ({ port, own: session }) => port === configuration!.clientPort && session !== null,
  );
  const list = connections.map(
    ({ address, remotePort }) => ` /${address}:${remotePort}[1](queued=0,recved=1,sent=0)\n`,
  );
  if (word === 'cons') return `${list.join('')}\n`;
  if (role === undefined) return NOT_SERVING;
  const nodes = Object.keys(tree.nodes).length;
  if (word === 'mntr') {
    const facts = [
      ['version', version],
      ...(['avg_latency', 'max_latency', 'min_latency'].map((name) => [name, '0']) as [string, string][]),
      ...[['packets_received', packets.received] as const, ['packets_sent', packets.sent] as const],
      ...[['num_alive_connections', clients.length] as const, ['outstanding_requests', 0] as const],
      ...[['server_state', role] as const, ['znode_count', nodes] as const],
      ['ephemerals_count', Object.values(tree.nodes).filter(({ owner }) => owner !== 0).length],
    ];
    return facts.map(([name, value]) => `zk_${name}\t${value}\n`).join('');
  }
  return [
    `Zookeeper version: ${version}\n`,
    ...(word === 'stat' ? ['Clients:\n', ...list, '\n'] : []),
    'Latency min/avg/max: 0/0/0\n',
    `Received: ${packets.received}\nSent: ${packets.sent}\nConnections: ${clients.length + 1}\nOutstanding: 0\n`,
    `Zxid: 0x${tree.zxid.toString(16)}\nMode: ${role}\nNode count: ${nodes}\n`,
  ].join('');
}

function describe({ configuration }: Own): Bytes {
  const { clientPort, dataDir, tickTime, maxClientCnxns, minSessionTimeout, maxSessionTimeout, id } = configuration!;
  const facts = { clientPort, dataDir, tickTime, maxClientCnxns, minSessionTimeout, maxSessionTimeout, serverId: id };
  return Object.entries(facts)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
