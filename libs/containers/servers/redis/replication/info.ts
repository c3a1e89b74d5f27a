import type { Running } from '../../serve.js';
import type { Own } from '../own.js';
import { clientOf, linkOf, masterOf, NO_ID, replicasOf } from './state.js';

/** The section Replication of INFO. Models genRedisInfoString. */
export function describeReplication(server: Running<Own>): string[] {
  const { own, connections } = server;
  const { id, offset } = own.replication;
  const replicas = replicasOf(connections).map((one, i) => {
    const { port, acked } = clientOf(one).replica!;
    return `slave${i}:ip=${one.address},port=${port},state=online,offset=${acked},lag=0`;
  });
  const hasBacklog = id !== '' && offset > 0;
  return [
    ...(masterOf(own) === undefined ? ['role:master'] : ['role:slave', ...describeMaster(server)]),
    `connected_slaves:${replicas.length}`,
    ...replicas,
    'master_failover_state:no-failover',
    `master_replid:${id === '' ? NO_ID : id}`,
    `master_replid2:${NO_ID}`,
    `master_repl_offset:${offset}`,
    'second_repl_offset:-1',
    `repl_backlog_active:${id === '' ? 0 : 1}`,
    'repl_backlog_size:1048576',
    `repl_backlog_first_byte_offset:${hasBacklog ? 1 : 0}`,
    `repl_backlog_histlen:${offset}`,
  ];
}

function describeMaster({ own, sys, connections }: Running<Own>): string[] {
  const { host, port } = masterOf(own)!;
  const { offset, downSince } = own.replication;
  const connection = linkOf(connections);
  const link = connection && clientOf(connection).master;
  const isUp = link?.stage === 'online';
  return [
    `master_host:${host}`,
    `master_port:${port}`,
    `master_link_status:${isUp ? 'up' : 'down'}`,
    `master_last_io_seconds_ago:${isUp ? Math.floor((sys.now - link.lastAt) / 1_000) % PING_SECONDS : -1}`,
    `master_sync_in_progress:${link?.stage === 'snapshot' ? 1 : 0}`,
    `slave_read_repl_offset:${offset}`,
    `slave_repl_offset:${offset}`,
    ...(isUp ? [] : [`master_link_down_since_seconds:${Math.floor((sys.now - (downSince ?? sys.now)) / 1_000)}`]),
    `slave_priority:${own.configuration['replica-priority']}`,
    `slave_read_only:${own.configuration['replica-read-only'] === 'yes' ? 1 : 0}`,
    'replica_announced:1',
  ];
}

/** A master would ping its replicas so often: nothing is sent for it here. */
const PING_SECONDS = 10;
