import { expect, test } from '@jest/globals';
import { kind as Namespaces } from '../../kinds/core/namespace/kind.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { ApiError } from '../../machinery/meta/status.js';
import type { AdmissionRequest } from '../../runtime/admission.js';
import { plugin } from './plugin.js';

const made = (request: Partial<AdmissionRequest>, known: string[] = [], failure?: ApiError): string[] => {
  const names: string[] = [];
  const client = {
    get: (_kind: unknown, { name }: { name: string }) => (known.includes(name) ? {} : undefined),
    create: (_kind: unknown, { metadata }: { metadata: { name: string } }) => {
      if (failure) throw failure;
      names.push(metadata.name);
    },
  };
  const base = { operation: 'CREATE', kind: Pods, namespace: 'new', dryRun: false, client };
  plugin.mutate!({ ...base, ...request } as unknown as AdmissionRequest);
  return names;
};

test('a namespace that is not there is made', () => expect(made({})).toEqual(['new']));
test.each<[Partial<AdmissionRequest>, string[]]>([
  [{}, ['new']],
  [{ operation: 'UPDATE' }, []],
  [{ dryRun: true }, []],
  [{ namespace: '' }, []],
  [{ kind: Namespaces as never }, []],
])('%j with %j: none', (request, known) => expect(made(request, known)).toEqual([]));
test('another may have been faster, and other failures count', () => {
  expect(made({}, [], new ApiError(409, 'AlreadyExists', 'there'))).toEqual([]);
  expect(() => made({}, [], new ApiError(403, 'Forbidden', 'no'))).toThrow('no');
});
