import { expect, test } from '@jest/globals';
import { userOf } from './principal.js';

const subject = { user: 'jane', groups: ['dev'] };
const READ = { 'scopes.authorization.terrarium.dev': ['read'] };
const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const JANE = { name: 'jane', groups: ['dev', 'system:authenticated'] };

test.each([
  [{ scope: 'manage' }, ADMIN],
  [{ scope: 'use' }, ADMIN],
  [{ scope: 'read' }, { ...ADMIN, extra: READ }],
  [{ scope: 'use', subject }, JANE],
  [
    { scope: 'read', subject },
    { ...JANE, extra: READ },
  ],
] as const)('%j is the user %j', (principal, user) => expect(userOf(principal)).toEqual(user));
