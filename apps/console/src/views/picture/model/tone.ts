import type { Facts } from './row.js';

/** What a pod looks like: its colour, and its sign where colours are not enough. */
export const TONES = ['ready', 'unready', 'starting', 'waiting', 'failing', 'ending', 'done'] as const;
export type Tone = (typeof TONES)[number];

const STARTING = /^(ContainerCreating|PodInitializing|Init:\d+\/\d+)$/;

/** By the status that kubectl prints. */
export function toneOf({ is, isEnding }: { readonly is: Facts; readonly isEnding: boolean }): Tone {
  const { status = '', phase, node } = is;
  if (isEnding) return 'ending';
  if (status === 'Completed' || phase === 'Succeeded') return 'done';
  if (status === 'Running') return is.ready === is.total ? 'ready' : 'unready';
  if (!node) return 'waiting';
  if (STARTING.test(status) || status === 'Pending') return 'starting';
  return status === 'NotReady' ? 'unready' : 'failing';
}

/** Its place among the tones. */
export const toneIndex = (of: Parameters<typeof toneOf>[0]): number => TONES.indexOf(toneOf(of));
