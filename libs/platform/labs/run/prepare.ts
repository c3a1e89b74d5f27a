import { randomBytes } from 'node:crypto';
import { parseAllDocuments } from 'yaml';
import { Refusal } from '../../refusal.js';
import { API_VERSION, type Lab, type LabSpec } from '../lab-file.js';
import { drive, LabCluster } from './lab-cluster.js';
import { learnerObjects } from './learner-objects.js';
import { applyObject, type Manifest } from './objects.js';
import type { Place } from './script.js';
import { labTemplate } from './template.js';

const SECOND_MS = 1_000;
/** How long a setup script may take, and how long a kind may take to be served. Virtual ms. */
const SETUP_MS = 30 * 60_000;
const MAX_OBJECTS = 500;
/** Where a setup that may fail leaves what it has said. */
const SETUP_LOG = '/var/log/setup.log';
const MAX_LOG = 64 * 1024;

/**
 * The lab's cluster, ready for a learner: everything that the lab asks for is there, and has come to rest. One step of
 * work after another, so that a server may do something else between them. Throws Refusal 422 when it does not become
 * ready, with the reason.
 */
export function* preparing(lab: Lab, seed: string, now: number): Generator<void, LabCluster> {
  const { spec } = lab;
  const cluster = new LabCluster({ seed, template: labTemplate(spec.cluster), now });
  yield;
  for (const object of startObjects(spec)) {
    yield* applyObject(cluster, object);
    yield;
  }
  yield* cluster.advancing(SECOND_MS);
  for (const file of spec.files.filter(({ pod }) => pod === undefined)) yield* putFile(cluster, file);
  yield;
  if (spec.setup !== undefined) {
    // It may leave an API server that serves nobody.
    for (const object of learnerObjects(spec, cluster).filter(isClusterScoped)) yield* applyObject(cluster, object);
    const place = { node: cluster.controlPlane };
    if (spec.ignoreExitCodes) yield* mayRun(cluster, spec.setup, place);
    else yield* mustRun(cluster, spec.setup, place);
  }
  yield;
  yield* untilReady(cluster, spec);
  for (const file of spec.files.filter(({ pod }) => pod !== undefined)) yield* putFile(cluster, file);
  yield;
  if (cluster.isServing) {
    for (const object of learnerObjects(spec, cluster)) yield* applyObject(cluster, object);
    requireRoles(cluster, spec);
  }
  yield* settleFor(cluster, spec.ready.settle);
  for (const object of lastObjects(spec)) yield* applyObject(cluster, object);
  if (spec.clock) yield* applyObject(cluster, terrariumObject('Clock', { name: 'clock', spec: spec.clock }));
  return cluster;
}

/** A binding takes a role that there is not: whoever has it may do nothing, and nobody is told. */
function requireRoles(cluster: LabCluster, { users, learner }: LabSpec): void {
  const named: [string, string | undefined][] = [
    ...users.map(({ name, clusterRole }): [string, string | undefined] => [`users: ${name}`, clusterRole]),
    ['learner', learner.clusterRole],
  ];
  for (const [whose, role] of named) {
    const path = `/apis/rbac.authorization.k8s.io/v1/clusterroles/${encodeURIComponent(role ?? '')}`;
    if (role !== undefined && cluster.call('GET', path).status === 404)
      throw new Refusal(422, `${whose}: there is no ClusterRole "${role}"`);
  }
}

const isClusterScoped = ({ metadata }: Manifest): boolean => metadata?.namespace === undefined;

/** All of it at once. */
export const prepareLab = (lab: Lab, seed: string, now: number): LabCluster => drive(preparing(lab, seed, now));

/** What there is before anything runs: its order is the file's. */
function startObjects(spec: LabSpec): Manifest[] {
  const images = spec.images.map((image) => terrariumObject('Image', image));
  const web = spec.web.map((file, at) => terrariumObject('WebFile', { name: `web-${at + 1}`, spec: file }));
  const objects = [...images, ...web, ...spec.manifests.flatMap(readManifest)];
  if (objects.length > MAX_OBJECTS) throw new Refusal(422, `manifests: must not be more than ${MAX_OBJECTS} objects`);
  return objects;
}

/** What begins with the learner: checks look from here on, and faults begin. */
const lastObjects = ({ checks, faults, scenarios }: LabSpec): Manifest[] => [
  ...checks.map((check) => terrariumObject('Check', check)),
  ...faults.map((fault) => terrariumObject('Fault', fault)),
  ...scenarios.map((scenario) => terrariumObject('Scenario', scenario)),
];

const terrariumObject = (kind: string, { name, spec }: { name: string; spec: object }): Manifest => ({
  apiVersion: API_VERSION,
  kind,
  metadata: { name },
  spec,
});

function readManifest(manifest: LabSpec['manifests'][number]): Manifest[] {
  if (typeof manifest !== 'string') return itemsOf(manifest as unknown as Manifest);
  const documents = parseAllDocuments(manifest, { logLevel: 'silent' });
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error) throw new Refusal(422, `manifests: ${error.message.split('\n')[0]}`);
    const value = document.toJS({ maxAliasCount: 100 }) as Manifest | null;
    return value === null ? [] : itemsOf(value);
  });
}

const itemsOf = (object: Manifest): Manifest[] =>
  object.kind === 'List' && Array.isArray(object['items']) ? (object['items'] as Manifest[]) : [object];

function* untilReady(cluster: LabCluster, { ready }: LabSpec): Generator<void> {
  if (ready.condition === undefined) return yield* settleFor(cluster, 30 * SECOND_MS);
  const name = `lab-${randomBytes(4).toString('hex')}`;
  const advances = `/apis/${API_VERSION}/advances`;
  const made = cluster.call('POST', advances, {
    apiVersion: API_VERSION,
    kind: 'Advance',
    metadata: { name },
    spec: { until: ready.condition, limit: `${Math.ceil(ready.timeout / SECOND_MS)}s` },
  });
  if (made.status >= 400) throw new Refusal(422, `ready: ${messageOf(made.body)}`);
  for (;;) {
    const isSettled = cluster.advanceFreely();
    const { status } = cluster.call('GET', `${advances}/${name}`).body as {
      status?: { phase?: string; conditions?: readonly { readonly message?: string }[] };
    };
    if (status?.phase === 'Succeeded') break;
    if (status?.phase === 'Failed' || isSettled)
      throw new Refusal(422, `ready: ${status?.conditions?.[0]?.message ?? 'the condition never holds'}`);
    yield;
  }
  cluster.call('DELETE', `${advances}/${name}`);
}

const settleFor = (cluster: LabCluster, ms: number): Generator<void> => cluster.advancing(ms);

function* mustRun(cluster: LabCluster, script: string, place: Place): Generator<void> {
  const { code, output } = yield* cluster.running(place, script, SETUP_MS);
  if (code !== 0) throw new Refusal(422, `setup: exit code ${code}: ${output.trim().slice(-1_000)}`);
}

/** A script that may fail leaves behind how it has. */
function* mayRun(cluster: LabCluster, script: string, place: Place): Generator<void> {
  const { code, output } = yield* cluster.running(place, script, SETUP_MS);
  if (code === 0) return;
  const content = `${output.trimEnd()}\nexit code ${code}\n`.slice(-MAX_LOG);
  yield* mustRun(cluster, writeFile({ path: SETUP_LOG, content }), place);
}

function* putFile(cluster: LabCluster, file: LabSpec['files'][number]): Generator<void> {
  const { node = cluster.controlPlane, pod, container } = file;
  yield* mustRun(cluster, writeFile(file), pod === undefined ? { node } : { pod, container });
}

/** A script that writes the file; base64 keeps every byte. */
function writeFile({ path, content, mode }: LabSpec['files'][number]): string {
  const encoded = Buffer.from(content).toString('base64');
  const place = quote(path);
  const write = `mkdir -p "$(dirname ${place})" && echo ${encoded} | base64 -d > ${place}`;
  return mode === undefined ? write : `${write} && chmod ${mode} ${place}`;
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export const messageOf = (body: unknown): string =>
  String((body as { message?: unknown } | null)?.message ?? JSON.stringify(body));
