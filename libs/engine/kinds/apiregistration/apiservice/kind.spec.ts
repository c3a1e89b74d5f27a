import { expect, test } from '@jest/globals';
import { AGE, create, errorsOf, row } from '../../testing.js';
import { kind as APIServices } from './kind.js';

const spec = { group: 'metrics.k8s.io', version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100 };
const metadata = { name: 'v1beta1.metrics.k8s.io' };
test.each<[object, object, string[]]>([
  [metadata, spec, []],
  [
    { name: 'x' },
    spec,
    ['metadata.name: Invalid value: "x": must be `spec.version+"."+spec.group`: "v1beta1.metrics.k8s.io"'],
  ],
  [
    metadata,
    { ...spec, versionPriority: 0 },
    ['spec.versionPriority: Invalid value: 0: must be positive and less than 1000'],
  ],
  [
    metadata,
    { ...spec, caBundle: 'aGVsbG8=' },
    ['spec.caBundle: Invalid value: "5 bytes": local APIServices may not have a caBundle'],
  ],
  [
    metadata,
    { ...spec, service: { name: 'm' }, insecureSkipTLSVerify: true, caBundle: 'aA==' },
    [
      'spec.service.namespace: Required value',
      'spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present',
    ],
  ],
])('an APIService %j of %j', (meta, fields, errors) =>
  expect(errorsOf(APIServices, { metadata: meta, spec: fields })).toEqual(errors),
);

test('an APIService prints whether it is available', () => {
  expect(row(APIServices, create(APIServices, { metadata, spec }))).toEqual({
    Name: 'v1beta1.metrics.k8s.io',
    Service: 'Local',
    Available: 'True',
    Age: AGE,
  });
  const remote = create(APIServices, { metadata, spec: { ...spec, service: { name: 'm', namespace: 'n' } } });
  remote.status = { conditions: [{ type: 'Available', status: 'False', reason: 'MissingEndpoints' }] };
  expect(row(APIServices, remote)).toMatchObject({ Service: 'n/m', Available: 'False (MissingEndpoints)' });
});
