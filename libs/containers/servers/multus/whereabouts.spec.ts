import { expect, test } from '@jest/globals';
import { INSTALL_SCRIPT } from './whereabouts.js';

test('the script leaves plug-in and configuration where the node looks for them', () => {
  for (const text of ['/host/opt/cni/bin/', 'whereabouts.d/whereabouts.conf', 'cp -f /whereabouts "$bin"'])
    expect(INSTALL_SCRIPT).toContain(text);
  expect(INSTALL_SCRIPT.startsWith('#!/bin/sh\n')).toBe(true);
});
