import { expect, test } from '@jest/globals';
import type { State } from '../../state.js';
import { confinementLine, permitNetwork, permitPath } from './confine.js';
import type { Confinement } from './confinement.js';
import type { Process } from '../process.js';

const process = { container: 'c', cwd: '/work' } as unknown as Process;
const stateWith = (confinement?: Partial<Confinement>, capabilities: string[] = []): State =>
  ({
    containers: new Map([
      [
        'c',
        {
          capabilities,
          ...(confinement && {
            confinement: { name: 'p', mode: 'enforce', rules: [], allowsFiles: true, ...confinement },
          }),
        },
      ],
    ]),
  }) as unknown as State;
const denied = { rules: [{ path: '/**', access: 'w', denies: true }] };
const allowed = { allowsFiles: false, rules: [{ path: '/work/*', access: 'rw' }] };

test.each<[string, Partial<Confinement> | undefined, string, 'r' | 'w', boolean]>([
  ['without a profile', undefined, '/x', 'w', true],
  ['a write that is denied', denied, '/tmp/x', 'w', false],
  ['by its name in the working directory', denied, 'x', 'w', false],
  ['a read beside it', denied, '/tmp/x', 'r', true],
  ['in complain mode', { ...denied, mode: 'complain' }, '/tmp/x', 'w', true],
  ['what is allowed by a rule', allowed, 'x', 'w', true],
  ['what no rule allows', allowed, '/tmp/x', 'w', false],
  ['by a detour', allowed, '/tmp/../work/x', 'w', true],
  ['a denial beside what is allowed', { rules: [...allowed.rules, ...denied.rules] }, 'x', 'w', false],
])('%s', (_, confinement, path, access, passes) => {
  const ask = (): void => permitPath(stateWith(confinement), process, path, access);
  if (passes) expect(ask).not.toThrow();
  else expect(ask).toThrow('Permission denied');
});

test('sockets are denied as a whole', () => {
  expect(() => permitNetwork(stateWith({ deniesNetwork: true }), process)).toThrow('Permission denied');
  expect(() => permitNetwork(stateWith({}), process)).not.toThrow();
});

test.each<[State, string]>([
  [stateWith(denied), 'p (enforce)\n'],
  [stateWith(), 'cri-containerd.apparmor.d (enforce)\n'],
  [stateWith(undefined, ['SYS_ADMIN']), 'unconfined\n'],
  [stateWith({ name: 'unconfined', mode: 'complain' }), 'unconfined\n'],
])('it is shown', (state, expected) => expect(confinementLine(state, process)).toBe(expected));
