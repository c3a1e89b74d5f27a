import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  Cluster,
  defaultWorkers,
  kinds,
  makeTemplate,
  MutatingWebhookConfigurations,
  ValidatingWebhookConfigurations,
  type Client,
  type Kind,
} from '@terrarium/engine';
import { catalog } from './index.js';

const SECOND = 1000;
const template = makeTemplate({ workers: defaultWorkers(2), speed: 'realistic' }, catalog);
const kind = (name: string, group = ''): Kind => kinds.find((k) => k.kind === name && k.group === group)!;
const [Pods, Services, Secrets, Namespaces, ServiceAccounts, Ingresses, CRDs] = [
  kind('Pod'),
  kind('Service'),
  kind('Secret'),
  kind('Namespace'),
  kind('ServiceAccount'),
  kind('Ingress', 'networking.k8s.io'),
  kind('CustomResourceDefinition', 'apiextensions.k8s.io'),
];
const RULE = { apiVersions: ['*'], operations: ['CREATE', 'UPDATE'] };

let cluster: Cluster;
let start: number;
let errors: string[];
let client: Client;

beforeEach(() => {
  errors = [];
  cluster = new Cluster({
    seed: 'operators',
    images: catalog,
    strict: true,
    onError: (c, k, e) => errors.push(`${c} ${k.name} ${String((e as Error).stack)}`),
  });
  cluster.load(template);
  start = cluster.state.now;
  client = cluster.client({ name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] });
});

const make = (of: Kind, metadata: object, rest: object = {}): void =>
  void client.create(of, {
    apiVersion: of.group ? `${of.group}/${of.version}` : of.version,
    kind: of.kind,
    metadata,
    ...rest,
  } as never);
const at = (seconds: number): void => {
  cluster.advance(start + seconds * SECOND);
  cluster.state.now = Math.max(cluster.state.now, start + seconds * SECOND);
  expect(errors).toEqual([]);
};
const place = (namespace: string): void => {
  make(Namespaces, { name: namespace });
  make(ServiceAccounts, { name: 'default', namespace });
};
const program = (namespace: string, name: string, image: string, args: string[], port?: number): void =>
  make(
    Pods,
    { name, namespace, labels: { app: name } },
    { spec: { containers: [{ name: 'c', image, args, ...(port ? { ports: [{ containerPort: port }] } : {}) }] } },
  );
const service = (namespace: string, name: string, app: string, targetPort: number): void =>
  make(Services, { name, namespace }, { spec: { selector: { app }, ports: [{ port: 443, targetPort }] } });
const configuration = (
  of: Kind,
  name: string,
  metadata: object,
  service: object,
  rule: object,
  failurePolicy = 'Fail',
): void =>
  make(
    of,
    { name, ...metadata },
    {
      webhooks: [
        {
          failurePolicy,
          name: `${name}.example.com`,
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          clientConfig: { service },
          rules: [{ ...RULE, ...rule }],
        },
      ],
    },
  );
const authority = (of: Kind, name: string): unknown =>
  (client.get(of, { namespace: '', name }) as never as { webhooks: { clientConfig: { caBundle?: string } }[] })
    .webhooks[0]!.clientConfig.caBundle;

describe('cert-manager', () => {
  const SECRET = 'cert-manager.io/inject-ca-from-secret';
  const issuer = (spec: object): object => ({
    apiVersion: 'cert-manager.io/v1',
    kind: 'Issuer',
    metadata: { name: `i${Object.keys(spec).length}`, namespace: 'default' },
    spec,
  });

  test('its injector has the API server trust the webhook, which then judges what users write, also of a configuration that comes later', () => {
    make(
      CRDs,
      { name: 'issuers.cert-manager.io' },
      {
        spec: {
          group: 'cert-manager.io',
          scope: 'Namespaced',
          names: { plural: 'issuers', kind: 'Issuer' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            },
          ],
        },
      },
    );
    place('cert-manager');
    program('cert-manager', 'cainjector', 'quay.io/jetstack/cert-manager-cainjector:v1.9.1', []);
    program(
      'cert-manager',
      'webhook',
      'quay.io/jetstack/cert-manager-webhook:v1.9.1',
      [
        '--secure-port=10250',
        '--dynamic-serving-ca-secret-namespace=cert-manager',
        '--dynamic-serving-ca-secret-name=cert-manager-webhook-ca',
      ],
      10250,
    );
    service('cert-manager', 'cert-manager-webhook', 'webhook', 10250);
    const add = (name: string): void =>
      configuration(
        ValidatingWebhookConfigurations,
        name,
        { annotations: { [SECRET]: 'cert-manager/cert-manager-webhook-ca' } },
        { namespace: 'cert-manager', name: 'cert-manager-webhook', path: '/validate' },
        { apiGroups: ['cert-manager.io'], resources: ['*/*'] },
      );
    add('first');
    at(60);
    const made = (
      client.get(Secrets, { namespace: 'cert-manager', name: 'cert-manager-webhook-ca' }) as never as {
        data: Record<string, string>;
      }
    ).data['ca.crt'];
    expect([made, authority(ValidatingWebhookConfigurations, 'first')]).toEqual([expect.any(String), made]);
    add('later');
    at(61);
    expect(authority(ValidatingWebhookConfigurations, 'later')).toBe(made);
    const Issuers = client.kindFor('cert-manager.io/v1', 'Issuer')!;
    client.create(Issuers, issuer({ selfSigned: {} }) as never);
    expect(() => client.create(Issuers, issuer({}) as never)).toThrow(
      'admission webhook "first.example.com" denied the request: spec: Required value: at least one issuer must be configured',
    );
    const revision = cluster.revision;
    at(120);
    expect(cluster.revision).toBe(revision);
  });
});

test('Gatekeeper makes its own certificates, and lets no namespace exempt itself', () => {
  place('gatekeeper-system');
  make(Secrets, { name: 'gatekeeper-webhook-server-cert', namespace: 'gatekeeper-system' });
  program(
    'gatekeeper-system',
    'gatekeeper',
    'openpolicyagent/gatekeeper:v3.7.1',
    ['--port=8443', '--exempt-namespace=gatekeeper-system', '--operation=webhook'],
    8443,
  );
  service('gatekeeper-system', 'gatekeeper-webhook-service', 'gatekeeper', 8443);
  configuration(
    MutatingWebhookConfigurations,
    'gatekeeper-mutating-webhook-configuration',
    {},
    { namespace: 'gatekeeper-system', name: 'gatekeeper-webhook-service', path: '/v1/mutate' },
    { apiGroups: [''], resources: ['configmaps'] },
    'Ignore',
  );
  configuration(
    ValidatingWebhookConfigurations,
    'gatekeeper-validating-webhook-configuration',
    {},
    { namespace: 'gatekeeper-system', name: 'gatekeeper-webhook-service', path: '/v1/admitlabel' },
    { apiGroups: [''], resources: ['namespaces'] },
  );
  at(60);
  expect(authority(MutatingWebhookConfigurations, 'gatekeeper-mutating-webhook-configuration')).toBe(
    authority(ValidatingWebhookConfigurations, 'gatekeeper-validating-webhook-configuration'),
  );
  make(Namespaces, { name: 'plain' });
  expect(() => make(Namespaces, { name: 'exempt', labels: { 'admission.gatekeeper.sh/ignore': 'x' } })).toThrow(
    'denied the request: Only exempt namespace can have the admission.gatekeeper.sh/ignore label',
  );
});

test('the NGINX ingress controller allows Ingresses', () => {
  place('ingress-nginx');
  program(
    'ingress-nginx',
    'controller',
    'registry.k8s.io/ingress-nginx/controller:v1.1.2',
    ['/nginx-ingress-controller', '--validating-webhook=:8443'],
    8443,
  );
  service('ingress-nginx', 'admission', 'controller', 8443);
  configuration(
    ValidatingWebhookConfigurations,
    'ingress',
    {},
    { namespace: 'ingress-nginx', name: 'admission', path: '/networking/v1/ingresses' },
    { apiGroups: ['networking.k8s.io'], resources: ['ingresses'] },
  );
  at(60);
  const ingress = { spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } } };
  expect(() => make(Ingresses, { name: 'web', namespace: 'default' }, ingress)).toThrow(
    'certificate signed by unknown authority',
  );
  program('ingress-nginx', 'patch', 'registry.k8s.io/ingress-nginx/kube-webhook-certgen:v1.1.1', [
    'create',
    '--host=admission',
    '--namespace=ingress-nginx',
    '--secret-name=ca',
  ]);
  at(90);
  program('ingress-nginx', 'patch2', 'registry.k8s.io/ingress-nginx/kube-webhook-certgen:v1.1.1', [
    'patch',
    '--webhook-name=ingress',
    '--namespace=ingress-nginx',
    '--secret-name=ca',
    '--patch-mutating=false',
  ]);
  at(120);
  make(Ingresses, { name: 'web', namespace: 'default' }, ingress);
});
