import { describe, expect, test } from '@jest/globals';
import type { Change, KubeObject } from '@terrarium/engine';
import { Dice } from '../fuzz/dice.js';
import { atOnce, killed, run, WORLD_MS, workloadOf } from './runs.js';

const SEEDS = [4, 9, 10];

/** What a component sees beyond its own objects, those that they own, and those that have their names. */
const SEES: Readonly<Record<string, readonly string[]>> = {
  'endpoint-controller': ['pods'],
  'endpointslice-controller': ['pods'],
  'resourcequota-controller': ['pods', 'jobs.batch', 'services'],
  'daemon-set-controller': ['nodes'],
  'node-controller': ['nodes'],
  'kube-scheduler': ['nodes', 'pods'],
  apiserver: ['services'],
};

type Related = KubeObject & {
  readonly involvedObject?: { readonly uid?: string };
  readonly spec?: { readonly nodeName?: string; readonly scaleTargetRef?: { readonly name?: string } };
};

/** What ties an object to others: uids and names. */
function tiesOf({ name, object }: Change): string[] {
  const { metadata, involvedObject, spec } = object as Related;
  const owners = (metadata.ownerReferences ?? []).map(({ uid }) => uid);
  const ties = [name, metadata.uid, ...owners, involvedObject?.uid, spec?.nodeName, spec?.scaleTargetRef?.name];
  return ties.filter((tie) => tie !== undefined);
}

function isSeen(change: Change, cause: Change): boolean {
  const component = change.actor.split(':').at(-1)!;
  if (SEES[component]?.includes(cause.resource)) return true;
  // Its image list follows from a pod's start, which may have waited since a pod of the same name has gone.
  if (change.actor.startsWith('system:node:') && change.resource === 'nodes' && cause.resource === 'pods') return true;
  // A kubelet sees what is written to the files of its own node: 'node=2FNAME~next'.
  if (cause.resource === 'filechanges.terrarium.dev' && cause.name.startsWith(`node=2F${component}~`)) return true;
  const [ties, others] = [[...tiesOf(change), component], tiesOf(cause)];
  return ties.some((one) => others.some((other) => other.startsWith(one) || one.startsWith(other)));
}

const show = ({ revision, actor, type, resource, name }: Change): string =>
  `${revision}: ${actor} ${type} ${resource} ${name}`;

describe.each(SEEDS)('seed %i', (seed) => {
  test.each([
    ['by one process', atOnce],
    ['by processes that die', killed(new Dice(seed))],
  ])(
    'each change names a cause that its component has seen, %s',
    (_, advance) => {
      const changes = run(seed, workloadOf(seed), advance).log.map((text) => JSON.parse(text) as Change);
      const byRevision = new Map(changes.map((change) => [change.revision, change]));
      const wrong = changes
        .filter(({ cause }) => cause !== 0)
        .filter((change) => {
          const cause = byRevision.get(change.cause);
          return !cause || change.cause >= change.revision || !isSeen(change, cause);
        });
      const causeOf = ({ cause }: Change): string => show(byRevision.get(cause) ?? ({ revision: cause } as Change));
      expect(wrong.map((change) => `${show(change)} <- ${causeOf(change)}`)).toEqual([]);
      expect(changes.filter(({ cause }) => cause !== 0).length).toBeGreaterThan(10);
    },
    WORLD_MS,
  );
});
