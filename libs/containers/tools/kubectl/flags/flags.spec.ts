import { expect, test } from '@jest/globals';
import { parseFlags } from './flags.js';

const TABLE = ['n,namespace:', 'A,all-namespaces', 'dry-run::unchanged', 'l,selector:'];
const parse = (line: string, inOrder = false) => parseFlags(line.split(' '), TABLE, 'kubectl get', inOrder);

test.each([
  ['pods -n a', ['pods'], 'namespace', 'a'],
  ['-na pods', ['pods'], 'namespace', 'a'],
  ['-n=a pods', ['pods'], 'namespace', 'a'],
  ['pods --namespace=a', ['pods'], 'namespace', 'a'],
  ['pods -A', ['pods'], 'all-namespaces', 'true'],
  ['pods --all-namespaces=false', ['pods'], 'all-namespaces', 'false'],
  ['pods --dry-run web', ['pods', 'web'], 'dry-run', 'unchanged'],
  ['pods --dry-run=client', ['pods'], 'dry-run', 'client'],
])('%s', (line, args, name, value) => {
  const found = parse(line);
  expect(found.args).toEqual(args);
  expect(found.flags.value(name)).toBe(value);
});

test('what stands behind -- is no flag', () =>
  expect(parse('a -- -n b')).toMatchObject({ args: ['a', '-n', 'b'], dashAt: 1 }));

test.each([
  ['--foo', 'unknown flag: --foo'],
  ['-z', "unknown shorthand flag: 'z' in -z"],
  ['-n', "flag needs an argument: 'n' in -n"],
  ['--all-namespaces=x', 'invalid argument "x" for "--all-namespaces" flag'],
])('%s is refused', (line, why) => expect(() => parse(line)).toThrow(why));
