import { describe, expect, test } from '@jest/globals';
import { catalog } from '../../containers/index.js';
import type { APIResourceList } from '../api/meta_v1.js';
import { resourcesJson } from '../schema/facts/resources.generated.js';
import { Cluster } from './cluster.js';

interface Fact {
  readonly kind: string | { readonly group: string; readonly version: string; readonly kind: string };
  readonly namespaced: boolean;
  readonly actions: readonly string[];
}

const VERBS: Record<string, string> = { post: 'create', put: 'update' };
/** Streams into containers and proxies: what they lead to is not simulated yet. */
const LATER = /^(pods\/(attach|exec|portforward|proxy)|services\/proxy|nodes\/proxy)/;

const cluster = new Cluster({ seed: 'resources', images: catalog });
const decoder = new TextDecoder();

function get(path: string): unknown {
  const response = cluster.handle(
    {
      method: 'GET',
      path,
      query: '',
      headers: { accept: 'application/json' },
      user: { name: 'admin', groups: ['system:masters'] },
    },
    Date.UTC(2026, 0, 1),
  );
  if (response.type !== 'body' || response.status !== 200) throw new Error(`${path}: ${JSON.stringify(response)}`);
  return JSON.parse(typeof response.body === 'string' ? response.body : decoder.decode(response.body));
}

const stable = Object.entries(JSON.parse(resourcesJson) as Record<string, Fact>)
  .map(([id, fact]) => ({
    group: id.split('/')[0]!,
    version: id.split('/')[1]!,
    resource: id.split('/').slice(2).join('/'),
    ...fact,
  }))
  .filter((r) => /^v\d+$/.test(r.version) && !LATER.test(r.resource));
const versions = [...new Set(stable.map((r) => (r.group ? `/apis/${r.group}/${r.version}` : `/api/${r.version}`)))];

describe.each(versions)('%s', (path) => {
  const served = new Map((get(path) as APIResourceList).resources.map((r) => [r.name, r]));
  const facts = stable.filter((r) => (r.group ? `/apis/${r.group}/${r.version}` : `/api/${r.version}`) === path);

  test.each(facts.map((f) => [f.resource, f] as const))('%s', (resource, fact) => {
    const found = served.get(resource);
    expect(found).toBeDefined();
    const { kind, group, version } =
      typeof fact.kind === 'string' ? { kind: fact.kind, group: undefined, version: undefined } : fact.kind;
    expect([found!.kind, found!.group, found!.version, found!.namespaced]).toEqual([
      kind,
      group,
      version,
      fact.namespaced,
    ]);
    expect(found!.verbs).toEqual(expect.arrayContaining(fact.actions.map((a) => VERBS[a] ?? a)));
    if (fact.actions.includes('list') && resource !== 'componentstatuses') expect(found!.verbs).toContain('watch');
  });

  test('nothing that Kubernetes does not serve', () => {
    const known = new Set(facts.map((f) => f.resource));
    expect([...served.keys()].filter((r) => !known.has(r) && !LATER.test(r))).toEqual([]);
  });
});
