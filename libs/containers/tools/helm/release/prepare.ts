import { textOf } from '../../../../engine/kernel/bytes.js';
import type { Session } from '../../kubectl/session/session.js';
import { ApiFailure } from '../../kubectl/session/failure.js';
import { apiVersionOf, pathOf } from '../../kubectl/discovery/resources.js';
import { type Chart, nameOf, textField } from '../chart/chart.js';
import { parseConstraint, parseVersion } from '../chart/semver.js';
import { coalesceValues, processDependencies, type Values } from '../chart/values.js';
import { clockOf } from '../commands/flags.js';
import type { Capabilities } from '../engine/objects.js';
import { sortManifests } from '../engine/manifests.js';
import { type Lookup, renderChart } from '../engine/render.js';
import { fail } from '../engine/functions/typed.js';
import { HelmFailure } from '../failure.js';
import { CLIENT_KUBE_VERSION } from '../version.js';
import type { Hook } from './release.js';

export interface Rendered {
  readonly hooks: Hook[];
  readonly manifest: string;
  readonly notes: string;
}

export interface RenderRequest {
  readonly chart: Chart;
  readonly values: Values;
  readonly name: string;
  readonly revision: number;
  readonly isInstall: boolean;
  readonly capabilities: Capabilities;
  /** Whether `lookup` asks the cluster. */
  readonly asksCluster: boolean;
  readonly isLint?: boolean;
}

const CLIENT_VERSIONS = (
  'v1 admissionregistration.k8s.io/v1 apiextensions.k8s.io/v1 apps/v1 authentication.k8s.io/v1 authorization.k8s.io/v1 ' +
  'autoscaling/v2 autoscaling/v1 batch/v1 certificates.k8s.io/v1 coordination.k8s.io/v1 discovery.k8s.io/v1 events.k8s.io/v1 ' +
  'flowcontrol.apiserver.k8s.io/v1 networking.k8s.io/v1 node.k8s.io/v1 policy/v1 rbac.authorization.k8s.io/v1 ' +
  'scheduling.k8s.io/v1 storage.k8s.io/v1'
).split(' ');

/** Of commands that ask no cluster. */
export function clientCapabilities(kubeVersion = '', more: readonly string[] = []): Capabilities {
  const parsed = kubeVersion === '' ? undefined : parseVersion(kubeVersion);
  if (kubeVersion !== '' && !parsed)
    throw new HelmFailure(`invalid kube version '${kubeVersion}': Invalid Semantic Version`);
  const found = parsed
    ? { version: `v${parsed.numbers.join('.')}`, major: String(parsed.numbers[0]), minor: String(parsed.numbers[1]) }
    : CLIENT_KUBE_VERSION;
  return { ...found, apiVersions: [...CLIENT_VERSIONS, ...more] };
}

/** What the server says of itself. Throws ApiFailure. */
export function serverCapabilities(session: Session): Capabilities {
  const found = session.get('/version');
  const text = (name: string): string => (typeof found[name] === 'string' ? (found[name] as string) : '');
  const groups = session.resources.map(apiVersionOf);
  const kinds = session.resources.map((one) => `${apiVersionOf(one)}/${one.kind}`);
  return {
    ...{ version: text('gitVersion'), major: text('major'), minor: text('minor') },
    apiVersions: [...new Set([...groups, ...kinds])],
  };
}

/** The chart's manifests and hooks, and its notes. Models renderResources. Throws HelmFailure. */
export function renderRelease(session: Session, request: RenderRequest): Rendered {
  const { chart, capabilities } = request;
  const files = renderFiles(session, request);
  checkKubeVersion(chart, capabilities);
  let notes = '';
  for (const [path, text] of [...files]) {
    if (!path.endsWith('NOTES.txt')) continue;
    const isOwn = path === `${nameOf(chart)}/templates/NOTES.txt`;
    if (isOwn || session.flags.isOn('render-subchart-notes')) notes += (notes === '' ? '' : '\n') + text;
    files.delete(path);
  }
  const { hooks, manifests } = sortManifests(files);
  const crds = session.flags.isOn('include-crds') ? crdsOf(chart) : [];
  const parts = [...crds, ...manifests].map(({ path, content }) => `---\n# Source: ${path}\n${content}\n`);
  return { hooks, manifest: parts.join(''), notes };
}

function checkKubeVersion({ metadata }: Chart, { version }: Capabilities): void {
  const wanted = textField(metadata, 'kubeVersion');
  const own = parseVersion(version);
  if (wanted === '' || !own) return;
  if (!(parseConstraint(wanted)?.(own) ?? false))
    throw new HelmFailure(`chart requires kubeVersion: ${wanted} which is incompatible with Kubernetes ${version}`);
}

/** Texts of all templates. */
export function renderFiles(session: Session, request: RenderRequest): Map<string, string> {
  const { chart, values, name, revision, isInstall, capabilities, asksCluster, isLint = false } = request;
  processDependencies(chart, values);
  const warn = (line: string): void => session.err(`${line}\n`);
  const all = coalesceValues(chart, values, warn);
  const { sys } = session;
  return renderChart(chart, all, {
    release: { name, namespace: session.namespace, revision, isInstall },
    capabilities,
    machine: { clock: clockOf(session), random: () => sys.random() },
    lookup: asksCluster ? lookupOf(session) : () => ({}),
    isLint,
  });
}

/** Models pkg/engine lookup_func.go. */
const lookupOf =
  (session: Session): Lookup =>
  (apiVersion, kind, namespace, name) => {
    const resource = session.resources.find((one) => apiVersionOf(one) === apiVersion && one.kind === kind);
    if (!resource)
      return fail(
        `unable to get apiresource from unstructured: ${apiVersion}, Kind=${kind}: the server could not find the requested resource`,
      );
    try {
      return session.find(pathOf(resource, namespace, name)) ?? {};
    } catch (error) {
      if (error instanceof ApiFailure) return fail(error.message);
      throw error;
    }
  };

/** Files of crds/, of the charts within too. */
export function crdsOf(chart: Chart, path = nameOf(chart)): { path: string; content: string }[] {
  const own = chart.files
    .filter(({ name }) => name.startsWith('crds/') && /\.(?:ya?ml|json)$/.test(name))
    .map(({ name, data }) => ({ path: `${path}/${name}`, content: textOf(data) }));
  return [...own, ...chart.dependencies.flatMap((one) => crdsOf(one, `${path}/charts/${nameOf(one)}`))];
}
