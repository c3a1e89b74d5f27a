import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Plain } from '../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { continueDial, dial, type Dial } from '../../dial.js';
import { lookUp } from '../../lookup.js';
import type { Waits } from '../../serve.js';
import { isTree, type Change, type Tree } from './tree.js';

/** Another server of the ensemble, from `server.2=host:2888:3888`. */
export type Peer = { id: number; host: Bytes; port: number };

/** What servers say to each other, as a line of JSON: a text of our own in the place of Zab. */
export type Question =
  | { ask: 'state' }
  | { ask: 'tree' }
  | { ask: 'apply'; change: Change; zxid: number; at: number; before: number }
  | { ask: 'replace'; tree: Tree }
  | { ask: 'write'; change: Change };
export type Told = { id: number; zxid: number; tree?: Tree; result?: Bytes | number };

/** Questions to peers that are under way. */
export type Round = { dials: { id: number; dial: Dial | null; told: Plain }[] };

const ASK_MS = 2_000;
const isLine = (received: Bytes): boolean => received.endsWith('\n');

/** Asks all of them at once. */
export function askPeers(sys: Syscalls, peers: readonly Peer[], question: Question): Round {
  return { dials: peers.map((peer) => ({ id: peer.id, dial: askPeer(sys, peer, question), told: null })) };
}

function askPeer(sys: Syscalls, { host, port }: Peer, question: Question): Dial | null {
  const [address] = lookUp(sys, host).addresses;
  if (address === undefined) return null;
  try {
    return dial(sys, address, port, 'tcp', `${JSON.stringify(question)}\n`, ASK_MS);
  } catch (error) {
    if (error instanceof SystemError) return null;
    throw error;
  }
}

/** What it waits for; undefined: all have answered, or will not. */
export function continueRound(sys: Syscalls, round: Round): Waits | undefined {
  const readable: number[] = [];
  const writable: number[] = [];
  const times: number[] = [];
  for (const one of round.dials) {
    if (one.dial === null) continue;
    const outcome = continueDial(sys, one.dial, isLine);
    if ('wait' in outcome) {
      readable.push(...(outcome.wait.readable ?? []));
      writable.push(...(outcome.wait.writable ?? []));
      if (outcome.wait.until !== undefined) times.push(outcome.wait.until);
      continue;
    }
    one.dial = null;
    if (!('error' in outcome)) one.told = readTold(outcome.received) as Plain;
  }
  if (times.length === 0) return undefined;
  return { readable, writable, until: Math.min(...times) };
}

function readTold(received: Bytes): Told | null {
  try {
    const told: unknown = JSON.parse(received);
    return isTold(told) ? told : null;
  } catch {
    return null;
  }
}

function isTold(value: unknown): value is Told {
  const told = value as Partial<Told> | null;
  return typeof told?.id === 'number' && typeof told.zxid === 'number' && (!told.tree || isTree(told.tree));
}

export const answersOf = (round: Round): Told[] =>
  round.dials.flatMap(({ told }) => (told === null ? [] : [told as unknown as Told]));
