import { expect, test } from '@jest/globals';
import { isTool } from './tools.js';

test.each<[string[], boolean]>([
  [['sh', '-c', 'server'], true],
  [['/bin/bash'], true],
  [['/bin/sleep', '1'], true],
  [['[', 'a', ']'], true],
  [['curl', 'web'], true],
  [['ps'], true],
  [['tini', '--', 'server'], false],
  [['python3', 'app.py'], false],
  [['/app/server'], false],
  [['/bin/'], false],
  [[], false],
])('%j is of a shell or a tool: %j', (argv, expected) => expect(isTool(argv)).toBe(expected));
