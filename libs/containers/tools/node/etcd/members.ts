import { textOf } from '../../../../engine/kernel/bytes.js';
import { memberId } from '../../../../engine/node/host/etcd/member-id.js';
import type { Disk } from '../../../../engine/node/host/files/disk.js';
import { CLUSTER_FILE, type ClusterInfo } from '../../../../engine/node/host/views/releases-view.js';
import type { ToolContext } from '../../framework/tool.js';
import { diskOf } from '../disk.js';

export const MANIFEST = '/etc/kubernetes/manifests/etcd.yaml';

/** One of the etcds that form a cluster. */
export interface Member {
  readonly id: string;
  readonly name: string;
  /** 'https://172.18.0.2:2379'. */
  readonly url: string;
  readonly isDown: boolean;
}

/** The members, and how Raft stands among those that are up. */
export interface Membership {
  /** In the order of their ids. */
  readonly members: readonly Member[];
  /** The member that this node runs. */
  readonly own: Member;
  /** Absent: most members are gone. */
  readonly leader?: Member;
  readonly term: number;
}

const FIRST = 'a8cbd6e8c5b2b7d1';
const FIRST_TERM = 2;

/** The node's address, as etcd's manifest has it. */
const clientUrl = (disk: Disk): string =>
  /--advertise-client-urls=(\S+)/.exec(textOf(disk.read(MANIFEST) ?? ''))?.[1] ?? 'https://127.0.0.1:2379';

/**
 * An etcd on each node of the control plane; by this node's manifest its own, whatever the others are. While a fault
 * takes members away there are three of them, and the last ones are down.
 */
export function membershipOf({ sys }: Pick<ToolContext, 'sys'>): Membership {
  const disk = diskOf(sys);
  const info = JSON.parse(textOf(disk.read(CLUSTER_FILE) ?? '{}')) as Partial<ClusterInfo>;
  const servers = (info.nodes ?? []).filter(
    ({ controlPlane, name }) => controlPlane !== undefined || name === sys.hostname,
  );
  const hosts = servers.map(({ name, ip }) => ({ name, ip }));
  // What a fault of etcd supposes where there are fewer control planes.
  for (let i = hosts.length + 1; i <= (info.etcd?.members ?? 0); i++)
    hosts.push({ name: `etcd-${i}`, ip: besides(hosts[0]?.ip, i) });
  const down = info.etcd ? (info.etcd.hasQuorum ? 1 : Math.ceil(hosts.length / 2)) : 0;
  // The one that is asked is up.
  const others = hosts.filter(({ name }) => name !== sys.hostname).map(({ name }) => name);
  const gone = new Set(others.slice(Math.max(0, others.length - down)));
  const all = hosts.map(({ name, ip }, i): Member => {
    const url = name === sys.hostname ? clientUrl(disk) : `https://${ip}:2379`;
    return { id: i === 0 ? FIRST : memberId(name), name, url, isDown: gone.has(name) };
  });
  const members = [...all].sort((a, b) => (a.id < b.id ? -1 : 1));
  const own = all.find(({ name }) => name === sys.hostname) ?? all[0]!;
  const up = all.filter(({ isDown }) => !isDown);
  const hasQuorum = up.length > all.length / 2;
  // Who is left elects one: that is a term of its own, and those who cannot go on trying (without a vote: PreVote).
  return { members, own, term: FIRST_TERM + (down > 0 ? 1 : 0), ...(hasQuorum ? { leader: up[0]! } : {}) };
}

/** An address beside another one: of a host that is not there. */
function besides(ip = '172.18.0.2', i: number): string {
  const parts = ip.split('.');
  return [...parts.slice(0, 3), String(Math.min(254, Number(parts[3] ?? 2) + 100 + i))].join('.');
}
