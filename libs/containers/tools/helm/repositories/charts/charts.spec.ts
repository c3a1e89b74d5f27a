import { expect, test } from '@jest/globals';
import { parseYaml } from '../../../../../engine/schema/index.js';
import { coalesceValues } from '../../chart/values.js';
import { parseVersion } from '../../chart/semver.js';
import { sortManifests } from '../../engine/manifests.js';
import { renderChart } from '../../engine/render.js';
import { clientCapabilities } from '../../release/prepare.js';
import { unpackBundled } from './bundled.js';
import { REPOSITORIES } from './index.js';

const charts = REPOSITORIES.flatMap(({ charts: list }) => list);

/** The objects of a chart with its newest version. */
function objectsOf(name: string, values: Record<string, unknown> = {}): string[] {
  const bundled = charts.find((one) => one.name === name)!;
  const chart = unpackBundled(bundled, ...bundled.versions[0]!);
  const files = renderChart(
    chart,
    coalesceValues(chart, values, () => undefined),
    {
      release: { name: 'r', namespace: 'n', revision: 1, isInstall: true },
      capabilities: clientCapabilities(),
      machine: { clock: 0, random: () => 0 },
      lookup: () => ({}),
    },
  );
  expect([...files.keys()]).toContain(`${name}/templates/NOTES.txt`);
  files.delete(`${name}/templates/NOTES.txt`);
  const { manifests, hooks } = sortManifests(files);
  for (const { content } of manifests) expect(parseYaml(content).repeated).toEqual([]);
  return [...manifests, ...hooks].map(({ kind, name: own }) => `${kind}/${own}`);
}

test.each(charts.map(({ name }) => name))('%s renders, and its versions are some', (name) => {
  expect(objectsOf(name).length).toBeGreaterThan(0);
  const { versions } = charts.find((one) => one.name === name)!;
  for (const [version] of versions) expect(parseVersion(version)).toBeDefined();
});

test.each<[string, Record<string, unknown>, string]>([
  ['nginx', {}, 'ServiceAccount/r-nginx PodDisruptionBudget/r-nginx Service/r-nginx Deployment/r-nginx'],
  [
    'nginx',
    { pdb: { create: false }, serviceAccount: { create: false }, fullnameOverride: 'x' },
    'Service/x Deployment/x',
  ],
  [
    'nginx',
    { ingress: { enabled: true, tls: true }, autoscaling: { enabled: true } },
    'ServiceAccount/r-nginx PodDisruptionBudget/r-nginx Service/r-nginx Deployment/r-nginx HorizontalPodAutoscaler/r-nginx Ingress/r-nginx',
  ],
  ['apache', { fullnameOverride: 'x' }, 'ServiceAccount/x PodDisruptionBudget/x Service/x Deployment/x'],
])('%s with %j', (name, values, objects) => expect(objectsOf(name, values).sort()).toEqual(objects.split(' ').sort()));

test.each([
  [{}, 3],
  [{ crds: { install: false } }, 0],
])('argo-cd with %j has %d definitions', (values, count) => {
  const objects = objectsOf('argo-cd', values);
  expect(objects.filter((one) => one.startsWith('CustomResourceDefinition/'))).toHaveLength(count);
  expect(objects).toEqual(
    expect.arrayContaining(['Deployment/r-argocd-server', 'StatefulSet/r-argocd-application-controller']),
  );
});
