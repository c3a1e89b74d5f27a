import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Waits } from '../../serve.js';
import type { Configuration } from './configuration.js';
import { answersOf, askPeers, continueRound, type Question, type Round, type Told } from './ensemble.js';
import { applyChange, copyTree, type Change, type Tree } from './tree.js';

/** A server's own state. */
export type Own = {
  argv: Bytes[];
  version: string;
  problem: string;
  configuration: Configuration | null;
  tree: Tree;
  startedAt: number;
  isReady: boolean;
  /** Number of the next session. */
  sessions: number;
  /** The last connection that leads a change, as its descriptor: one at a time. */
  writer: number | null;
  /** Sessions whose connection broke: their nodes go with the next change. */
  ended: number[];
  packets: { received: number; sent: number };
};

/** How an ensemble comes to a result; a change of it is done by its leader, the highest number that answers. */
export type Work = {
  change: Change | null;
  /** It was forwarded to this server, which leads. */
  leads: boolean;
  stage: 'ask' | 'catch-up' | 'forward' | 'apply' | 'replace';
  round: Round;
  /** The tree with the change, before most have it. */
  next: Tree | null;
  result: Bytes | number;
};

/** `role` is absent without a quorum. `result`: the path that a change was made at, or an error's number. */
export type Outcome = { role?: 'standalone' | 'leader' | 'follower'; result: Bytes | number };

const CONNECTION_LOSS = -4;
const FIRST_EPOCH = 2 ** 32;
const RETRY_MS = 5;

export const beginWork = (sys: Syscalls, own: Own, change: Change | null, leads = false): Work => ({
  ...{ change, leads, stage: 'ask', next: null, result: 0 },
  round: askPeers(sys, own.configuration!.peers, { ask: 'state' }),
});

/** Goes on: what it waits for, or its outcome. `keep` writes the tree down. */
export function continueWork(
  { sys, own, descriptor, keep }: { sys: Syscalls; own: Own; descriptor: number; keep(): void },
  work: Work,
): { readonly wait: Waits } | Outcome {
  for (;;) {
    if (work.change !== null && own.writer !== null && own.writer !== descriptor)
      return { wait: { until: sys.now + RETRY_MS } };
    if (work.change !== null) own.writer = descriptor;
    const wait = continueRound(sys, work.round);
    if (wait !== undefined) return { wait };
    const outcome = advance(sys, own, work, keep);
    if (outcome === undefined) continue;
    if (own.writer === descriptor) own.writer = null;
    return outcome;
  }
}

/** After a round of questions: the next round, or the outcome. */
function advance(sys: Syscalls, own: Own, work: Work, keep: () => void): Outcome | undefined {
  const { configuration, tree } = own;
  const { id, peers } = configuration!;
  const told = answersOf(work.round);
  const isQuorum = (count: number): boolean => (count + 1) * 2 > peers.length + 1;
  const role = roleOf(own, told);
  const next = (stage: Work['stage'], question: Question, whom = peers): undefined => {
    work.stage = stage;
    work.round = askPeers(sys, whom, question);
  };
  if (work.stage === 'catch-up') {
    const newest = told[0]?.tree;
    if (newest !== undefined && newest.zxid > tree.zxid) {
      own.tree = newest;
      keep();
    }
    return next('ask', { ask: 'state' });
  }
  if (work.stage === 'ask') {
    if (!isQuorum(told.length)) return { result: CONNECTION_LOSS };
    const newest = told.reduce((best, one) => (one.zxid > best.zxid ? one : best), { id, zxid: tree.zxid });
    if (newest.id !== id)
      return next(
        'catch-up',
        { ask: 'tree' },
        peers.filter((peer) => peer.id === newest.id),
      );
    if (work.change === null) return { role, result: 0 };
    const leader = Math.max(id, ...told.map((one) => one.id));
    if (leader !== id && !work.leads)
      return next(
        'forward',
        { ask: 'write', change: work.change },
        peers.filter((peer) => peer.id === leader),
      );
    const { zxid: before } = tree;
    if (!makeNext(own, work, sys.now)) return { role: 'leader', result: work.result };
    if (peers.length === 0) return finish(own, work, keep);
    return next('apply', { ask: 'apply', change: work.change, zxid: work.next!.zxid, at: sys.now, before });
  }
  if (work.stage === 'forward') return { role: 'follower', result: told[0]?.result ?? CONNECTION_LOSS };
  const zxid = work.next!.zxid;
  const behind = peers.filter((peer) => told.some((one) => one.id === peer.id && one.zxid !== zxid));
  if (work.stage === 'apply' && behind.length > 0) return next('replace', { ask: 'replace', tree: work.next! });
  if (!isQuorum(told.filter((one) => one.zxid === zxid).length)) return { result: CONNECTION_LOSS };
  return finish(own, work, keep);
}

/** Makes the change on a copy; false: it cannot be made. */
function makeNext({ tree, configuration }: Own, work: Work, now: number): boolean {
  const copy = copyTree(tree);
  const zxid = Math.max(tree.zxid, configuration!.peers.length === 0 ? 0 : FIRST_EPOCH) + 1;
  work.result = applyChange(copy, work.change!, zxid, now);
  if (typeof work.result === 'number') return false;
  work.next = copy;
  return true;
}

function finish(own: Own, work: Work, keep: () => void): Outcome {
  own.tree = work.next!;
  keep();
  return { role: own.configuration!.peers.length === 0 ? 'standalone' : 'leader', result: work.result };
}

function roleOf({ configuration }: Own, told: readonly Told[]): Outcome['role'] {
  const { id, peers } = configuration!;
  if (peers.length === 0) return 'standalone';
  return told.every((one) => one.id < id) ? 'leader' : 'follower';
}
