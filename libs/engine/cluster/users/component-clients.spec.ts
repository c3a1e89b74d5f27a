import { expect, test } from '@jest/globals';
import { catalog } from '../../../containers/index.js';
import { ConfigMaps } from '../../kinds/index.js';
import { Cluster } from '../cluster.js';
import { makeTemplate } from '../template.js';

const START = { created: 0, changes: 0, revision: 0, now: 0 };
const template = makeTemplate({ workers: [{ name: 'worker-1' }], speed: 'instant' }, catalog);
const map = (data: unknown): never => ({ metadata: { name: 'm', namespace: 'default' }, data }) as never;

test('what a user writes is validated, and the log names who has written it', () => {
  const cluster = new Cluster({ seed: 'clients', images: catalog });
  cluster.load(template);
  const client = cluster.client({ name: 'jane', groups: ['system:masters'] });
  expect(() => client.create(ConfigMaps, map({ '#': 'x' }))).toThrow('a valid config key must consist of');
  client.create(ConfigMaps, map({ key: 'x' }));
  expect(cluster.since(START).map(({ actor, resource, name }) => [actor, resource, name])).toEqual([
    ['jane', 'configmaps', 'm'],
  ]);
});

test('what components write names them, and what they were at', () => {
  const cluster = new Cluster({ seed: 'clients', images: catalog });
  cluster.load(template);
  cluster.advance(template.now + 60_000);
  const actors = new Set(cluster.since(START).map(({ actor }) => actor));
  expect([...actors].every((actor) => /^system:(node|kube-|serviceaccount|terrarium)/.test(actor))).toBe(true);
});
