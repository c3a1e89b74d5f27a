import type * as ClientNode from '@kubernetes/client-node';
import '../../../libs/testkit/node-22.js';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { KubeConfig, V1ConfigMap, V1Deployment, V1Pod } from '@kubernetes/client-node';
import { until, type Service } from '../../../libs/testkit/service.js';
import { shareService } from '../../../libs/testkit/shared-service.js';

const START_MS = 120_000;
const TEST_MS = 60_000;
const namespace = 'default';

const shared = shareService();
let service: Service;
let js: typeof ClientNode;
let kubeConfig: KubeConfig;

beforeAll(async () => {
  // Loaded late, so that what it needs is there.
  js = await import('@kubernetes/client-node');
  kubeConfig = new js.KubeConfig();
  service = shared();
  const { id } = await service.call<{ id: string }>('POST', '/v1/clusters', {
    name: 'clients',
    nodes: 2,
    speed: 'instant',
  });
  const answer = await fetch(`${service.url}/v1/clusters/${id}/kubeconfig`, {
    headers: { authorization: `Bearer ${service.apiKey}` },
  });
  kubeConfig.loadFromString(await answer.text());
}, START_MS);

const deployment = (name: string, replicas: number): V1Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } },
  },
});
const failure = async (work: Promise<unknown>): Promise<{ code: number; body: unknown }> => {
  const error: unknown = await work.then(
    () => undefined,
    (e: unknown) => e,
  );
  if (!(error instanceof js.ApiException)) throw new Error(`not refused: ${String(error)}`);
  return { code: error.code, body: typeof error.body === 'string' ? (JSON.parse(error.body) as unknown) : error.body };
};

describe('@kubernetes/client-node', () => {
  test('asks for the version', async () => {
    expect((await kubeConfig.makeApiClient(js.VersionApi).getCode()).gitVersion).toMatch(/^v1\.36\./);
  });

  test('creates, reads, replaces, patches in three ways, and deletes', async () => {
    const core = kubeConfig.makeApiClient(js.CoreV1Api);
    const name = 'js';
    const made = await core.createNamespacedConfigMap({ namespace, body: { metadata: { name }, data: { a: '1' } } });
    expect(made.metadata!.creationTimestamp).toBeInstanceOf(Date);
    expect(
      (await core.replaceNamespacedConfigMap({ namespace, name, body: { metadata: { name }, data: { b: '2' } } })).data,
    ).toEqual({ b: '2' });
    const patched = (body: unknown, strategy: string): Promise<V1ConfigMap> =>
      core.patchNamespacedConfigMap(
        {
          namespace,
          name,
          body: body as object,
          fieldManager: 'js',
          force: strategy === js.PatchStrategy.ServerSideApply ? true : undefined,
        },
        js.setHeaderOptions('Content-Type', strategy),
      );
    expect((await patched([{ op: 'add', path: '/data/c', value: '3' }], js.PatchStrategy.JsonPatch)).data).toEqual({
      b: '2',
      c: '3',
    });
    expect((await patched({ data: { b: null } }, js.PatchStrategy.MergePatch)).data).toEqual({ c: '3' });
    expect((await patched({ data: { d: '4' } }, js.PatchStrategy.StrategicMergePatch)).data).toEqual({
      c: '3',
      d: '4',
    });
    expect(
      (
        await patched(
          { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { e: '5' } },
          js.PatchStrategy.ServerSideApply,
        )
      ).data,
    ).toEqual({ c: '3', d: '4', e: '5' });
    expect(await failure(core.createNamespacedConfigMap({ namespace, body: { metadata: { name } } }))).toMatchObject({
      code: 409,
      body: { reason: 'AlreadyExists' },
    });
    expect((await core.deleteNamespacedConfigMap({ namespace, name })).status).toBe('Success');
    expect(await failure(core.readNamespacedConfigMap({ namespace, name }))).toMatchObject({
      code: 404,
      body: { reason: 'NotFound', message: 'configmaps "js" not found' },
    });
  });

  test(
    'an informer follows pods from their making to their end',
    async () => {
      const [core, apps] = [kubeConfig.makeApiClient(js.CoreV1Api), kubeConfig.makeApiClient(js.AppsV1Api)];
      const labelSelector = 'app=web';
      const informer = js.makeInformer<V1Pod>(
        kubeConfig,
        `/api/v1/namespaces/${namespace}/pods`,
        () => core.listNamespacedPod({ namespace, labelSelector }),
        labelSelector,
      );
      const [added, gone, errors]: [Set<string>, Set<string>, unknown[]] = [new Set(), new Set(), []];
      informer.on('add', (pod) => void added.add(pod.metadata!.name!));
      informer.on('delete', (pod) => void gone.add(pod.metadata!.name!));
      informer.on('error', (error: unknown) => void (error && errors.push(error)));
      await informer.start();
      await apps.createNamespacedDeployment({ namespace, body: deployment('web', 3) });
      await until(
        () => informer.list(namespace).filter((p) => p.status?.phase === 'Running').length === 3,
        30_000,
        'three running pods',
      );
      const [pod] = informer.list(namespace);
      expect(await core.readNamespacedPodLog({ namespace, name: pod!.metadata!.name! })).toContain('nginx');
      const { items, metadata } = await core.listNamespacedPod({ namespace, labelSelector, limit: 2 });
      expect(
        (await core.listNamespacedPod({ namespace, labelSelector, limit: 2, _continue: metadata!._continue })).items
          .length + items.length,
      ).toBe(3);
      await apps.replaceNamespacedDeploymentScale({
        namespace,
        name: 'web',
        body: { metadata: { name: 'web', namespace }, spec: { replicas: 1 } },
      });
      await until(() => gone.size === 2, 30_000, 'two pods to go');
      await apps.deleteNamespacedDeployment({ namespace, name: 'web' });
      await until(() => informer.list(namespace).length === 0, 30_000, 'the last pod to go');
      await informer.stop();
      expect([added.size, gone.size, errors]).toEqual([3, 3, []]);
    },
    TEST_MS,
  );

  test(
    'a custom kind is defined, used, watched and validated',
    async () => {
      const [extensions, custom] = [
        kubeConfig.makeApiClient(js.ApiextensionsV1Api),
        kubeConfig.makeApiClient(js.CustomObjectsApi),
      ];
      const at = { group: 'example.com', version: 'v1', namespace, plural: 'widgets' };
      await extensions.createCustomResourceDefinition({
        body: {
          metadata: { name: 'widgets.example.com' },
          spec: {
            group: at.group,
            scope: 'Namespaced',
            names: { plural: at.plural, singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
            versions: [
              {
                name: 'v1',
                served: true,
                storage: true,
                subresources: { status: {} },
                schema: {
                  openAPIV3Schema: {
                    type: 'object',
                    properties: { spec: { type: 'object', properties: { size: { type: 'integer', minimum: 1 } } } },
                  },
                },
              },
            ],
          },
        },
      });
      const widget = (size: number): object => ({
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        metadata: { name: 'w' },
        spec: { size },
      });
      await until(
        () => custom.createNamespacedCustomObject({ ...at, body: widget(1) }),
        5_000,
        'the kind to be served',
      );
      const seen: string[] = [];
      const watch = await new js.Watch(kubeConfig).watch(
        `/apis/example.com/v1/namespaces/${namespace}/widgets`,
        {},
        (type) => void seen.push(type),
        () => undefined,
      );
      await custom.patchNamespacedCustomObject(
        { ...at, name: 'w', body: { spec: { size: 2 } } },
        js.setHeaderOptions('Content-Type', js.PatchStrategy.MergePatch),
      );
      expect(await failure(custom.replaceNamespacedCustomObject({ ...at, name: 'w', body: widget(0) }))).toMatchObject({
        code: 422,
        body: { reason: 'Invalid' },
      });
      await custom.deleteNamespacedCustomObject({ ...at, name: 'w' });
      await until(() => seen.length === 3, 5_000, 'three events');
      watch.abort();
      expect(seen).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    },
    TEST_MS,
  );

  test('objects of any kind go by discovery', async () => {
    const objects = js.KubernetesObjectApi.makeApiClient(kubeConfig);
    await objects.create(deployment('any', 0));
    const patched = await objects.patch<V1Deployment>(
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'any', namespace },
        spec: { replicas: 0, paused: true },
      } as V1Deployment,
      undefined,
      undefined,
      'js',
      undefined,
      js.PatchStrategy.MergePatch,
    );
    expect(patched.spec!.paused).toBe(true);
    expect(
      (await objects.list<V1Deployment>('apps/v1', 'Deployment', namespace)).items.map((d) => d.metadata!.name),
    ).toContain('any');
    await objects.delete({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'any', namespace } });
  });
});
