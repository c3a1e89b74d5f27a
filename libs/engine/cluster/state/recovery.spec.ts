import { beforeAll, describe, expect, test } from '@jest/globals';
import { catalog } from '../../../containers/index.js';
import { ConfigMaps } from '../../kinds/index.js';
import type { Change } from '../../machinery/change.js';
import { Cluster, type ClusterOptions } from '../cluster.js';
import { defaultWorkers, makeTemplate } from '../template.js';
import type { CheckpointState } from './checkpoint.js';

const START = { created: 0, changes: 0, revision: 0, now: 0 };
const ROOT_CA = { namespace: 'kube-system', name: 'kube-root-ca.crt' };
const CERTIFICATE = /^-----BEGIN CERTIFICATE-----/;
let template: CheckpointState;
beforeAll(() => {
  template = makeTemplate({ workers: defaultWorkers(), speed: 'realistic' }, catalog);
});

/** A process that takes the cluster up, and what it has reconciled when nothing more was due. */
function takeUp(checkpoint: CheckpointState, options: Partial<ClusterOptions> = {}) {
  const reconciled: string[] = [];
  const observer = { started: (name: string) => void reconciled.push(name), finished: () => undefined };
  const cluster = new Cluster({ seed: 'recovery', images: catalog, observer, ...options });
  cluster.load(JSON.parse(JSON.stringify(checkpoint)) as CheckpointState);
  cluster.commit();
  cluster.advance(checkpoint.now);
  return { cluster, reconciled };
}

describe('what the components have to go on with is known from a checkpoint', () => {
  const spoil: Record<string, (checkpoint: CheckpointState) => CheckpointState> = {
    'of this behaviour and this point': (saved) => saved,
    'of another behaviour': ({ loop, ...saved }) => ({ ...saved, loop: { ...loop!, behaviour: 0 } }),
    'of another revision': ({ loop, ...saved }) => ({ ...saved, loop: { ...loop!, revision: loop!.revision - 1 } }),
    'of another time': ({ loop, ...saved }) => ({ ...saved, loop: { ...loop!, now: loop!.now - 1 } }),
    'of a process that ran nothing': ({ loop: _, ...saved }) => saved,
  };
  test.each([
    ['of this behaviour and this point', true],
    ['of another behaviour', false],
    ['of another revision', false],
    ['of another time', false],
    ['of a process that ran nothing', false],
  ])('%s: %s', (name, isKnown) => {
    const { cluster } = takeUp(template);
    cluster.commit();
    const next = takeUp(spoil[name]!(cluster.checkpoint()));
    // Without it, every key is looked at, and nothing comes of that.
    expect(next.reconciled.length > 0).toBe(!isKnown);
    expect(next.cluster.since(START)).toEqual([]);
  });
});

describe('the authority of a cluster', () => {
  const pemOf = ({ state }: Cluster): string => state.get(ConfigMaps, ROOT_CA)?.data?.['ca.crt'] ?? '';
  const keysOf = (tokenKey: string, ...ancestorKeys: string[]) => ({ tokenKey, ancestorKeys });

  test('is its own, also where a checkpoint and a log have that of the cluster that it was forked from', () => {
    const parent = takeUp(template, keysOf('parent'));
    expect(pemOf(parent.cluster)).toMatch(CERTIFICATE);
    const client = parent.cluster.client({ name: 'jane', groups: ['system:masters'] });
    const mark = parent.cluster.mark();
    const map = client.get(ConfigMaps, ROOT_CA)!;
    client.update(ConfigMaps, { ...map, metadata: { ...map.metadata, labels: { touched: 'yes' } } });
    const shown = JSON.parse(JSON.stringify(parent.cluster.since(mark))) as Change[];
    const fork = new Cluster({ seed: 'recovery', images: catalog, runs: false, ...keysOf('fork', 'parent') });
    fork.load(template);
    const own = pemOf(fork);
    for (const change of shown) fork.replay(change);
    expect(own).toMatch(CERTIFICATE);
    expect(own).not.toBe(pemOf(parent.cluster));
    expect(fork.state.get(ConfigMaps, ROOT_CA)?.metadata.labels).toEqual({ touched: 'yes' });
    expect(pemOf(fork)).toBe(own);
  });
});
