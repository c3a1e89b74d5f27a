import { X509Certificate } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Ingress } from '../../../engine/api/networking_v1.js';
import { CertManagerBed } from './testing.js';

const V1 = 'cert-manager.io/v1';
const DAY = 86_400;
const EC = { algorithm: 'ECDSA', size: 256 };

function withAuthority(tag?: string): CertManagerBed {
  const bed = new CertManagerBed(tag);
  bed.add('ClusterIssuer', 'self', { selfSigned: {} });
  bed.add('Issuer', 'ca', { ca: { secretName: 'root' } });
  bed.add('Certificate', 'root', {
    ...{ isCA: true, commonName: 'root', secretName: 'root', privateKey: EC },
    issuerRef: { name: 'self', kind: 'ClusterIssuer' },
  });
  bed.add('Certificate', 'web', { dnsNames: ['web.test'], secretName: 'web-tls', issuerRef: { name: 'ca' } });
  return bed.at(30);
}

test('an authority that signs itself, and what it signs', () => {
  const bed = withAuthority();
  expect(bed.conditions(V1, 'Issuer', 'ca')).toEqual(['Ready=True KeyPairVerified']);
  expect(bed.conditions(V1, 'Certificate', 'web')).toEqual(['Ready=True Ready']);
  const [root, web] = [bed.secret('root')!, bed.secret('web-tls')!];
  const leaf = new X509Certificate(web['tls.crt']!);
  const authority = new X509Certificate(root['tls.crt']!);
  expect([leaf.verify(authority.publicKey), authority.verify(authority.publicKey), authority.ca]).toEqual([
    true,
    true,
    true,
  ]);
  expect([leaf.subjectAltName, leaf.issuer, web['ca.crt'] === root['tls.crt']]).toEqual([
    'DNS:web.test',
    'CN=root',
    true,
  ]);
  expect(web['tls.key']).toContain('BEGIN RSA PRIVATE KEY');
  expect(bed.said('Certificate', 'web').map((text) => text.replace(/web-[a-z0-9]{5}/, 'web-x'))).toEqual([
    'Issuing Issuing certificate as Secret does not exist',
    'Generated Stored new private key in temporary Secret resource "web-x"',
    'Requested Created new CertificateRequest resource "web-x"',
    'Issuing The certificate has been successfully issued',
  ]);
  const { revision } = bed.cluster;
  expect(bed.at(600).cluster.revision).toBe(revision);
});

test('a certificate is renewed when two thirds of its time are over, and made again when its Secret is gone', () => {
  const bed = withAuthority('v1.19.0');
  const first = new X509Certificate(bed.secret('web-tls')!['tls.crt']!);
  bed.at(61 * DAY);
  const second = new X509Certificate(bed.secret('web-tls')!['tls.crt']!);
  expect(Date.parse(second.validFrom) - Date.parse(first.validFrom)).toBe(60 * DAY * 1_000);
  // Releases from 1.18 on make a new key, and keep one request.
  expect(second.publicKey.equals(first.publicKey)).toBe(false);
  const names = bed.all<{ metadata: { name: string } }>(V1, 'CertificateRequest').map(({ metadata }) => metadata.name);
  expect(names).toEqual(['root-2', 'web-2']);
  bed.client.delete(bed.kind('v1', 'Secret'), { namespace: 'default', name: 'web-tls' });
  bed.at(61 * DAY + 60);
  expect(bed.conditions(V1, 'Certificate', 'web')).toEqual(['Ready=True Ready']);
});

test.each<[string, string, object, string[]]>([
  ['a missing authority', 'Issuer', { ca: { secretName: 'none' } }, ['Ready=False ErrGetKeyPair']],
  [
    'ACME of a server that is not known',
    'Issuer',
    { acme: { server: 'https://acme.corp.test/directory', privateKeySecretRef: { name: 'key' } } },
    ['Ready=False ErrRegisterACMEAccount'],
  ],
  [
    'an issuer that is missing',
    'Certificate',
    { dnsNames: ['a.test'], secretName: 'a', issuerRef: { name: 'none' } },
    ['Issuing=True DoesNotExist', 'Ready=False DoesNotExist'],
  ],
])('%s', (_case, kind, spec, expected) => {
  const bed = new CertManagerBed();
  bed.add(kind, 'one', spec);
  expect(bed.at(30).conditions(V1, kind, 'one')).toEqual(expected);
});

test('an Ingress that names an issuer has its Certificate, and no more when it names another Secret', () => {
  const bed = withAuthority();
  const ingresses = bed.kind('networking.k8s.io/v1', 'Ingress');
  const made = bed.make(
    'networking.k8s.io/v1',
    'Ingress',
    { name: 'shop', namespace: 'default', annotations: { 'cert-manager.io/issuer': 'ca' } },
    { spec: { tls: [{ hosts: ['shop.test'], secretName: 'shop-tls' }], rules: [{ host: 'shop.test' }] } },
  ) as Ingress;
  bed.at(60);
  expect(bed.conditions(V1, 'Certificate', 'shop-tls')).toEqual(['Ready=True Ready']);
  expect(bed.said('Ingress', 'shop')).toEqual(['CreateCertificate Successfully created Certificate "shop-tls"']);
  const found = bed.client.get(ingresses, { namespace: 'default', name: 'shop' }) as Ingress;
  bed.client.update(ingresses, {
    ...found,
    spec: { ...made.spec, tls: [{ hosts: ['shop.test'], secretName: 'other' }] },
  } as Ingress);
  bed.at(90);
  expect(bed.said('Ingress', 'shop').slice(1)).toEqual([
    'CreateCertificate Successfully created Certificate "other"',
    'DeleteCertificate Successfully deleted unrequired Certificate "shop-tls"',
  ]);
});

test('ACME waits until the host is reached, and then gets its certificate', () => {
  const bed = new CertManagerBed();
  bed.add('Issuer', 'le', {
    acme: {
      server: 'https://acme-staging-v02.api.letsencrypt.org/directory',
      ...{ email: 'ann@shop.test', privateKeySecretRef: { name: 'le-key' } },
      solvers: [{ http01: { ingress: { ingressClassName: 'nginx' } } }],
    },
  });
  bed.add('Certificate', 'shop', { dnsNames: ['shop.test'], secretName: 'shop-tls', issuerRef: { name: 'le' } });
  bed.at(30);
  interface Told {
    readonly status: { readonly state: string; readonly reason: string };
  }
  const [challenge] = bed.all<Told>('acme.cert-manager.io/v1', 'Challenge');
  expect(challenge!.status.state).toBe('pending');
  expect(challenge!.status.reason).toContain('dial tcp: lookup shop.test on 10.96.0.10:53: no such host');
  const [ingress] = bed.all<Ingress>('networking.k8s.io/v1', 'Ingress');
  const status = { loadBalancer: { ingress: [{ ip: '172.18.255.200' }] } };
  bed.client.updateStatus(bed.kind('networking.k8s.io/v1', 'Ingress'), { ...ingress!, status } as Ingress);
  bed.at(60);
  expect(bed.conditions(V1, 'Certificate', 'shop')).toEqual(['Ready=True Ready']);
  expect(new X509Certificate(bed.secret('shop-tls')!['tls.crt']!).issuer).toContain('CN=(STAGING) Puzzling Parsnip E7');
  // What was presented is gone.
  const left = ['Ingress', 'Challenge'].map(
    (kind) => bed.all(kind === 'Ingress' ? 'networking.k8s.io/v1' : 'acme.cert-manager.io/v1', kind).length,
  );
  expect(left).toEqual([0, 0]);
});
