import { actorName } from './actors.js';
import type { Act } from './world.js';

/** One line of what is going on: who did what. */
export interface StoryLine {
  readonly key: number;
  readonly actor: string;
  readonly verb: 'made' | 'deleted' | 'placed' | 'status' | 'changed';
  readonly kind: string;
  readonly name: string;
  readonly detail: string;
  readonly uid: string;
}

const KEPT = 6;
const TOLD = new Set([
  'Pod',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'Service',
  'Node',
  'PersistentVolumeClaim',
  'PersistentVolume',
  'VolumeAttachment',
  'Fault',
]);

/** The last few things that were done, the newest first. */
export class Story {
  lines: readonly StoryLine[] = [];
  private next = 0;

  tell(acts: readonly Act[]): boolean {
    const told = acts.flatMap((act) => lineOf(act) ?? []).slice(-KEPT);
    if (told.length === 0) return false;
    const numbered = told.map((line) => ({ ...line, key: this.next++ }));
    this.lines = [...numbered.reverse(), ...this.lines].slice(0, KEPT);
    return true;
  }
}

function lineOf({ thing, type, actor, before }: Act): Omit<StoryLine, 'key'> | undefined {
  const { kind, name, is, uid } = thing;
  if (!TOLD.has(kind)) return undefined;
  const line = { actor: actorName(actor), kind, name, uid };
  if (type === 'made') return { ...line, verb: 'made', detail: '' };
  if (type === 'gone') return { ...line, verb: 'deleted', detail: '' };
  if (is.node && !before?.node) return { ...line, verb: 'placed', detail: is.node };
  if (is.status !== before?.status) return { ...line, verb: 'status', detail: is.status ?? '' };
  return kind === 'Pod' ? undefined : { ...line, verb: 'changed', detail: '' };
}
