import { expect, test } from '@jest/globals';
import { formatKlogLine } from './klog.js';

test.each([
  ['I', '2026-11-29T05:27:36.735Z', 'I1129 05:27:36.735000       1 main.go:1] up'],
  ['F', '2026-01-02T03:04:05Z', 'F0102 03:04:05.000000       1 main.go:1] up'],
])('%s at %s', (level, at, line) => expect(formatKlogLine(level, Date.parse(at), 'main.go:1] up')).toBe(line));
