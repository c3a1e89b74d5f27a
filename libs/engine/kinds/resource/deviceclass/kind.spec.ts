import { expect, test } from '@jest/globals';
import { errorsOf } from '../../testing.js';
import { kind as DeviceClasses } from './kind.js';

test('a DeviceClass has expressions', () =>
  expect(errorsOf(DeviceClasses, { spec: { selectors: [{ cel: {} }] } })).toEqual([
    `spec.selectors[0].cel.expression: Invalid value: "": compilation failed: ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}`,
  ]));
