import { expect, test } from '@jest/globals';
import { container, process } from '../testing.js';
import { hasPlainProbe, withPlainCommands } from './plain-commands.js';

const ran = { code: 1, output: "cat: can't open '/x'" };

test.each<[string[], { code: number; output: string; isUnstarted?: boolean }, number]>([
  [['cat', '/x'], ran, 1],
  [['/bin/cat', '/x'], ran, 1],
  [['pg_isready'], ran, 0],
  [['sh', '-c', 'own'], { code: 127, output: 'sh: own: not found' }, 0],
  [['sh', '-c', 'own'], { code: 1, output: 'own: is not simulated here' }, 0],
  [['curl', 'x'], { code: 126, output: '', isUnstarted: true }, 126],
])('%j ends with %j: %i', (argv, result, code) => {
  const server = withPlainCommands(process(), { run: () => result, quietUntil: () => Infinity });
  expect(server.exec!(argv, 0, 1_000).code).toBe(code);
});

test.each<[string[] | undefined, boolean]>([
  [['ls'], true],
  [['redis-cli', 'ping'], false],
  [undefined, false],
])('a probe that runs %j is plain: %s', (command, plain) => {
  const livenessProbe = command ? { exec: { command } } : { tcpSocket: { port: 80 } };
  expect(hasPlainProbe(container('c', { livenessProbe }))).toBe(plain);
});
