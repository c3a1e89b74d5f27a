import { expect, test } from '@jest/globals';
import { kind as Requests } from '../../kinds/certificates/certificatesigningrequest/kind.js';
import { ADMIN, ANN, createRequest, objectOf, refusalOf, type RequestFields } from '../testing.js';
import { plugin } from './plugin.js';

const csr = (status: object): ReturnType<typeof objectOf> =>
  objectOf(Requests, { spec: { signerName: 'example.com/serving' }, status });
const REFUSED =
  'certificatesigningrequests.certificates.k8s.io "a" is forbidden: user not permitted to sign requests with signerName "example.com/serving"';

test.each<[string, object, RequestFields, string | undefined]>([
  ['a certificate', { certificate: 'eA==' }, {}, REFUSED],
  ['a condition', { conditions: [{ type: 'Failed', status: 'True' }] }, {}, REFUSED],
  ['nothing', { conditions: [] }, {}, undefined],
  ['a certificate as a superuser', { certificate: 'eA==' }, { user: ADMIN }, undefined],
  ['a certificate as a component', { certificate: 'eA==' }, { fromOutside: false }, undefined],
  ['an approval', { conditions: [{ type: 'Approved', status: 'True' }] }, { subresource: 'approval' }, undefined],
])('a user without the right who writes %s', (_, status, fields, message) =>
  expect(
    refusalOf(
      plugin,
      createRequest(Requests, { object: csr(status), old: csr({}), subresource: 'status', user: ANN, ...fields }),
    ),
  ).toBe(message),
);
