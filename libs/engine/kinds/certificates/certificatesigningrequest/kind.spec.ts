import { describe, expect, test } from '@jest/globals';
import type { CertificateSigningRequest } from '../../../api/certificates_v1.js';
import type { ActionRequest } from '../../../machinery/kind.js';
import { REQUESTS } from '../../../machinery/crypto/x509/testing.js';
import { AGE, context, create, errorsOf, make, row } from '../../testing.js';
import { kind as Requests } from './kind.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const request = base64(REQUESTS.rsa);
const broken = base64(REQUESTS.rsa.replace('MII', 'MIJ'));
const spec = { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };

describe('a CertificateSigningRequest', () => {
  test.each<[string, object, string[]]>([
    ['without usages', { ...spec, usages: [] }, ['spec.usages: Required value']],
    [
      'with a usage twice',
      { ...spec, usages: ['client auth', 'client auth'] },
      ['spec.usages[1]: Duplicate value: "client auth"'],
    ],
    [
      'of no PEM',
      { ...spec, request: 'aGk=' },
      ['spec.request: Invalid value: "aGk=": PEM block type must be CERTIFICATE REQUEST'],
    ],
    [
      'that is broken off',
      { ...spec, request: broken },
      [`spec.request: Invalid value: "${broken}": asn1: syntax error: data truncated`],
    ],
    [
      'of a signer without a domain',
      { ...spec, signerName: 'x' },
      [
        'spec.signerName: Invalid value: "x": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
      ],
    ],
    ['of no signer', { ...spec, signerName: undefined }, ['spec.signerName: Required value']],
    [
      'of the legacy signer',
      { ...spec, signerName: 'kubernetes.io/legacy-unknown' },
      [
        'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
      ],
    ],
    [
      'for a minute',
      { ...spec, expirationSeconds: 60 },
      ['spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 600 seconds (10 minutes)'],
    ],
    ['that is good', spec, []],
  ])('%s', (_, fields, errors) => expect(errorsOf(Requests, { spec: fields })).toEqual(errors));

  test('says who asks, whoever it claims to be from', () =>
    expect(create(Requests, { spec: { ...spec, username: 'root' } }).spec).toMatchObject({
      username: 'ann',
      groups: ['system:masters', 'system:authenticated'],
    }));

  test.each([
    [[], undefined, 'Pending'],
    [['Approved'], undefined, 'Approved'],
    [['Approved'], 'x', 'Approved,Issued'],
    [['Denied'], undefined, 'Denied'],
    [['Approved', 'Failed'], undefined, 'Approved,Failed'],
  ])('with %j and certificate %s prints %s', (types, certificate, condition) => {
    const csr = make(Requests, {
      spec: { ...spec, username: 'ann', expirationSeconds: 7200 },
      status: { conditions: types.map((type) => ({ type, status: 'True' })), certificate },
    });
    expect(row(Requests, csr)).toEqual({
      Name: 'a',
      Age: AGE,
      SignerName: spec.signerName,
      Requestor: 'ann',
      RequestedDuration: '120m',
      Condition: condition,
    });
  });

  test('is approved through its subresource, where nothing but conditions changes', () => {
    const object = create(Requests, { spec });
    const body = {
      ...object,
      spec: { ...spec, signerName: 'x.io/y' },
      status: { certificate: 'forged', conditions: [{ type: 'Approved', status: 'True' }] },
    };
    let written: CertificateSigningRequest | undefined;
    const store = (next: CertificateSigningRequest) => (written = next);
    Requests.subresources!.actions!['approval']!.handle({
      verb: 'update',
      object,
      body,
      store,
      context,
    } as unknown as ActionRequest<CertificateSigningRequest>);
    expect([written!.spec.signerName, written!.status]).toEqual([
      spec.signerName,
      {
        conditions: [
          {
            type: 'Approved',
            status: 'True',
            lastUpdateTime: '2026-01-01T12:00:00Z',
            lastTransitionTime: '2026-01-01T12:00:00Z',
          },
        ],
      },
    ]);
  });

  const approved = { type: 'Approved', status: 'True' };
  test.each<[string, object, object, string[]]>([
    [
      'keeps its decision',
      { conditions: [approved] },
      {},
      ['status.conditions: Forbidden: updates may not remove a condition of type "Approved"'],
    ],
    [
      'is not approved by its signer',
      {},
      { conditions: [approved] },
      ['status.conditions: Forbidden: updates may not add a condition of type "Approved"'],
    ],
    [
      'keeps its certificate',
      { certificate: 'a' },
      { certificate: undefined },
      ['status.certificate: Forbidden: updates may not modify existing certificate content'],
    ],
    [
      'gets no other text for one',
      {},
      { certificate: base64('x') },
      ['status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block'],
    ],
    [
      'gets no request for one',
      {},
      { certificate: request },
      [
        'status.certificate: Invalid value: "<certificate data>": only CERTIFICATE PEM blocks are allowed, found "CERTIFICATE REQUEST"',
      ],
    ],
    [
      'fails for good',
      {},
      { conditions: [{ type: 'Failed', status: 'False' }] },
      ['status.conditions[0].status: Unsupported value: "False": supported values: "True"'],
    ],
    ['has other conditions too', {}, { conditions: [{ type: 'Seen', status: 'Unknown' }] }, []],
  ])('%s', (_, before, after, errors) =>
    expect(
      Requests.validateStatusUpdate!(
        make(Requests, { spec, status: after }),
        make(Requests, { spec, status: before }),
        context,
      ).map((e) => e.message),
    ).toEqual(errors),
  );
});
