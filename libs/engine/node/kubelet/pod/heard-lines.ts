import type { Pod } from '../../../api/core_v1.js';
import type { LoggedQuestion } from '../../../kernel/sockets/logged-question.js';
import { PodMachines, Pods } from '../../../kinds/index.js';
import type { Client, Reader } from '../../../machinery/client.js';
import type { Kind } from '../../../machinery/kind.js';
import type { Key } from '../../../machinery/meta/object.js';
import { deleteMachine, readRecord, type PodMachine } from '../../cri/records/machine-record.js';
import { makePodRuntime, MAX_HEARD, readPodRuntime, storePodRuntime } from './pod-runtime.js';

const Machines = PodMachines as unknown as Kind<PodMachine>;
const QUESTIONS = '"questions"';

/** Lines of a server's log about clients that are gone; `server` is the pod's own. */
export const heardLines = (read: Reader, pod: Pod): readonly Omit<LoggedQuestion, 'server'>[] =>
  readPodRuntime(read, pod)?.heard ?? [];

/**
 * Deletes what is kept of a pod's machine. What it remembers of the lines that servers have written about it is theirs,
 * and is written down beside them.
 */
export function forgetMachine(client: Client, key: Key): void {
  keepHeard(client, linesAsked(client, key));
  deleteMachine(client, key);
}

function linesAsked(client: Client, key: Key): readonly LoggedQuestion[] {
  const stored = client.get(Machines, key);
  if (!stored) return [];
  const record = readRecord(client, { metadata: { ...key, uid: stored.uid } } as Pod);
  // Most have asked nobody: their text is not read.
  const mayHaveAsked = [stored.machine, ...(record?.changes ?? []).map(({ patch }) => patch)].some((text) =>
    text.includes(QUESTIONS),
  );
  return mayHaveAsked ? (record?.machine().questions ?? []) : [];
}

function keepHeard(client: Client, lines: readonly LoggedQuestion[]): void {
  for (const uid of new Set(lines.map(({ server }) => server))) {
    const pod = client.list(Pods).find(({ metadata }) => metadata.uid === uid);
    if (!pod) continue;
    const own = lines.filter(({ server }) => server === uid).map(({ at, text }) => ({ at, text }));
    hear(client, pod, own);
  }
}

/** Writes lines of a server's log down beside it. */
export function hear(client: Client, pod: Pod, lines: readonly Omit<LoggedQuestion, 'server'>[]): void {
  const stored = readPodRuntime(client, pod);
  const heard = [...(stored?.heard ?? []), ...lines].slice(-MAX_HEARD);
  const made = stored ?? makePodRuntime(pod, undefined, { containers: {} });
  storePodRuntime(client, stored, { ...made, heard });
}
