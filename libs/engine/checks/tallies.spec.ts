import { expect, test } from '@jest/globals';
import { ConfigMaps, kinds } from '../kinds/index.js';
import { newCompiler, type Expression } from '../kinds/terrarium/check/kind.js';
import { NO_FUNCTIONS } from '../kinds/terrarium/check/functions.js';
import { EvaluationError } from '../machinery/cel/index.js';
import type { KubeObject } from '../machinery/meta/object.js';
import { SeededRandom } from '../machinery/random.js';
import { Registry } from '../runtime/registry.js';
import { State } from '../runtime/state/state.js';
import { Resources } from './resources.js';
import { Tallies } from './tallies.js';

const compile = newCompiler(NO_FUNCTIONS);
const TEXTS = [
  "configmaps.exists(c, c.data.x == '1')",
  "configmaps.all(c, c.data.x == '1')",
  "configmaps.exists_one(c, c.data.x == '1')",
  "configmaps.filter(c, c.metadata.name.startsWith('a') && c.data.?x.orValue('') == '1').size() >= 2",
  'size(configmaps.filter(c, has(c.data.x))) == 3 || !configmaps.all(c, has(c.data.x))',
];

function outcome(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof EvaluationError) return error.message;
    throw error;
  }
}

test.each(TEXTS)('%s is the same by count and by a look at all', (text) => {
  const state = new State();
  const resources = new Resources(state, new Registry(kinds));
  const tallies = new Tallies(state, resources);
  const expression = compile(text) as Expression;
  const known = tallies.knownTo(expression)!;
  expect(known).toBeDefined();
  const lookup = (name: string) => resources.valueOf(name);
  const random = new SeededRandom(7);
  const pick = (count: number): number => Math.floor(random.next() * count);
  const seen = new Set<unknown>();
  for (let i = 0; i < 400; i++) {
    const name = `${'ab'[pick(2)]}${pick(3)}`;
    const mark = state.mark();
    const data = [{}, { x: '1' }, { x: '2' }][pick(3)];
    const draft = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name }, data };
    if (pick(3) === 0) state.remove('configmaps', { namespace: 'default', name }, 'ann', 0);
    else state.put('configmaps', draft as KubeObject, 'ann', 0);
    if (pick(5) === 0) state.rollback(mark);
    const plain = outcome(() => expression.program.run(lookup).value);
    expect(outcome(() => expression.program.run(lookup, known).value)).toEqual(plain);
    seen.add(plain);
  }
  expect(seen.size).toBeGreaterThan(1);
  expect(state.list(ConfigMaps).length).toBeLessThan(7);
});

test.each(['pods.map(p, p.metadata.name).size() > 1', 'pods.exists(p, p.spec.x == now)', "'a' in pod"])(
  'nothing is counted of %s',
  (text) => {
    const state = new State();
    const tallies = new Tallies(state, new Resources(state, new Registry(kinds)));
    expect(tallies.knownTo(compile(text) as Expression)).toBeUndefined();
  },
);
