import { expect, test } from '@jest/globals';
import { ClusterBed } from '../../../../testkit/beds/cluster-bed.js';
import type { Pod } from '../../../api/core_v1.js';
import { Pods, Services } from '../../../kinds/index.js';

/** What the API server hears of a pod whose command is awaited (`stdin`) or not, in the order of its changes. */
function phasesOf(script: string, stdin: boolean): string[] {
  const bed = new ClusterBed('realistic', 1);
  bed.create(Pods, 'web', { spec: { containers: [{ name: 'c', image: 'nginx' }] } }, { labels: { app: 'web' } });
  bed.create(Services, 'web', { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } });
  bed.at(30);
  const container = { name: 'c', image: 'busybox:1.36', stdin, command: ['sh', '-c', script] };
  bed.create(Pods, 'client', { spec: { restartPolicy: 'Never', containers: [container] } });
  bed.at(45);
  expect(bed.errors).toEqual([]);
  const phases = bed.cluster
    .since({ created: 0, changes: 0, revision: 0, now: 0 })
    .filter(({ resource, name }) => resource === 'pods' && name === 'client')
    .map(({ object }) => (object as Pod).status.phase ?? '');
  return phases.filter((phase, i) => phase !== phases[i - 1]);
}

test.each<[string, string, boolean, string[]]>([
  ['that asks another pod and ends at once', 'wget -qO- web', true, ['Pending', 'Succeeded']],
  ['that fails so', 'wget -qO- nowhere', true, ['Pending', 'Failed']],
  ['that takes longer than a second', 'wget -qO- web; sleep 3', true, ['Pending', 'Running', 'Succeeded']],
  ['that nobody waits for', 'wget -qO- web', false, ['Pending', 'Running', 'Succeeded']],
])('of a command %s the API server hears as relists see it: %s', (_, script, stdin, phases) => {
  expect(phasesOf(script, stdin)).toEqual(phases);
});
