import { expect, test } from '@jest/globals';
import type { Reader } from '../../../machinery/reader.js';
import { viewAudit } from './audit-view.js';

test('a node without profiles has said nothing', () => {
  const read = { get: () => ({ metadata: {} }), list: () => [] } as unknown as Reader;
  expect(viewAudit(read, 'n', { commandOf: () => [], readFile: () => undefined })).toBe('');
});
