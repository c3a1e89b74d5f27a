import { parseYaml } from '../../../engine/schema/index.js';
import { findResource, pathOf, type ServerResource, shownResource } from './resources.js';

/** One request to the server, and how its answer is shown. */
export type Step = {
  method: string;
  path: string;
  contentType: string;
  accept: string;
  body: string;
  /** `apply` compares the resourceVersion with that of the `look` before it. */
  show: 'table' | 'name' | 'raw' | 'yaml-or-json' | 'verb' | 'look' | 'apply';
  /** `deployment.apps/web`. */
  object: string;
  /** `deleted`, `scaled`. */
  verb: string;
  ignoresMissing: boolean;
};

/** Ends kubectl with `error: MESSAGE`. */
export class KubectlFailure extends Error {}

export interface Flags {
  readonly values: Readonly<Record<string, string>>;
  readonly words: readonly string[];
}

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';

const step = (fields: Partial<Step> & Pick<Step, 'method' | 'path'>): Step => ({
  ...{
    contentType: '',
    accept: 'application/json',
    body: '',
    show: 'verb',
    object: '',
    verb: '',
    ignoresMissing: false,
  },
  ...fields,
});

interface Target {
  readonly resource: ServerResource;
  readonly name: string;
}

/** `pods a b`, `pod/a deploy/b`, `pods,svc`. */
function readTargets(all: readonly ServerResource[], words: readonly string[]): Target[] {
  const find = (word: string): ServerResource => {
    const found = findResource(all, word);
    if (found === undefined) throw new KubectlFailure(`the server doesn't have a resource type "${word}"`);
    return found;
  };
  if (words.some((word) => word.includes('/'))) {
    return words.map((word) => {
      const [type = '', name = ''] = word.split('/');
      return { resource: find(type), name };
    });
  }
  const [types = '', ...names] = words;
  return types.split(',').flatMap((type) => {
    const resource = find(type);
    return names.length === 0 ? [{ resource, name: '' }] : names.map((name) => ({ resource, name }));
  });
}

/** The requests of a command line. `manifest`: what stands in the files of -f. */
export function planRequests(
  command: string,
  { words, values }: Flags,
  all: readonly ServerResource[],
  ownNamespace: string,
  manifest: string,
  now: string,
): Step[] {
  const namespace = values['namespace'] ?? ownNamespace;
  const label = ({ resource, name }: Target): string => `${shownResource(resource)}/${name}`;
  const named = (list: readonly string[]): Target[] => {
    const targets = readTargets(all, list);
    if (targets.some(({ name }) => name === ''))
      throw new KubectlFailure('resource(s) were provided, but no name was specified');
    return targets;
  };
  const selector = [
    ...(values['selector'] === undefined ? [] : [`labelSelector=${encodeURIComponent(values['selector'])}`]),
    ...(values['field-selector'] === undefined
      ? []
      : [`fieldSelector=${encodeURIComponent(values['field-selector'])}`]),
  ].join('&');
  const patch = (target: Target, contentType: string, body: unknown, verb: string, sub = ''): Step =>
    step({
      ...{ method: 'PATCH', path: pathOf(target.resource, namespace, target.name) + sub, contentType, verb },
      ...{ body: typeof body === 'string' ? body : JSON.stringify(body), object: label(target) },
    });
  switch (command) {
    case 'get': {
      const output = values['output'] ?? '';
      const show = output === '' || output === 'wide' ? 'table' : output === 'name' ? 'name' : 'yaml-or-json';
      if (!['', 'wide', 'name', 'json'].includes(output))
        throw new KubectlFailure(`output format "${output}" is not simulated in a pod, use json or name`);
      return readTargets(all, words).map((target) => {
        const scope = values['all-namespaces'] === undefined ? namespace : '';
        const path = pathOf(target.resource, scope, target.name) + (selector === '' ? '' : `?${selector}`);
        return step({ method: 'GET', path, show, ...(show === 'table' && { accept: TABLE }), object: label(target) });
      });
    }
    case 'delete': {
      const targets =
        manifest === '' ? readTargets(all, words) : readManifest(manifest, all).map(({ target }) => target);
      if (targets.some(({ name }) => name === '') && selector === '' && values['all'] === undefined)
        throw new KubectlFailure('resource(s) were provided, but no name was specified');
      return targets.map((target) => {
        const path = pathOf(target.resource, namespace, target.name) + (selector === '' ? '' : `?${selector}`);
        const object = `${shownResource(target.resource)} "${target.name}"`;
        return step({
          method: 'DELETE',
          path,
          object,
          verb: 'deleted',
          ignoresMissing: values['ignore-not-found'] !== undefined,
        });
      });
    }
    case 'apply':
    case 'create': {
      if (manifest === '') throw new KubectlFailure('must specify one of -f and -k');
      return readManifest(manifest, all).flatMap(({ target, object, own }) => {
        const where = own ?? namespace;
        if (command === 'create') {
          return [
            step({
              method: 'POST',
              path: pathOf(target.resource, where),
              contentType: 'application/json',
              body: object,
              object: label(target),
              verb: 'created',
            }),
          ];
        }
        const path = pathOf(target.resource, where, target.name);
        return [
          step({ method: 'GET', path, show: 'look', ignoresMissing: true }),
          step({
            ...{ method: 'PATCH', path: `${path}?fieldManager=kubectl-client-side-apply&force=true`, body: object },
            ...{ contentType: 'application/apply-patch+yaml', show: 'apply', object: label(target) },
          }),
        ];
      });
    }
    case 'scale': {
      const replicas = Number(values['replicas']);
      if (!Number.isInteger(replicas) || replicas < 0)
        throw new KubectlFailure('The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0');
      return named(words).map((target) => patch(target, MERGE, { spec: { replicas } }, 'scaled', '/scale'));
    }
    case 'patch': {
      const body = values['patch'];
      if (body === undefined)
        throw new KubectlFailure('must specify --patch or --patch-file containing the contents of the patch');
      const types: Readonly<Record<string, string>> = {
        merge: MERGE,
        strategic: STRATEGIC,
        json: 'application/json-patch+json',
      };
      const type = types[values['type'] ?? 'strategic'];
      if (type === undefined)
        throw new KubectlFailure(`--type must be one of [json merge strategic], not "${values['type']}"`);
      const json = /^\s*[[{]/.test(body) ? body : JSON.stringify(parseYaml(body).value);
      return named(words).map((target) => patch(target, type, json, 'patched'));
    }
    case 'set image': {
      const containers = words
        .filter((word) => word.includes('='))
        .map((word) => {
          const [name = '', image = ''] = word.split(/=(.*)/s);
          return { name, image };
        });
      const body = { spec: { template: { spec: { containers } } } };
      return named(words.filter((word) => !word.includes('='))).map((target) =>
        patch(target, STRATEGIC, body, 'image updated'),
      );
    }
    case 'rollout restart': {
      const annotations = { 'kubectl.kubernetes.io/restartedAt': now };
      const body = { spec: { template: { metadata: { annotations } } } };
      return named(words).map((target) => patch(target, STRATEGIC, body, 'restarted'));
    }
    case 'logs': {
      const [pod = '', container = values['container']] = words;
      if (pod === '')
        throw new KubectlFailure(
          "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command",
        );
      const query = [
        ...(container === undefined ? [] : [`container=${encodeURIComponent(container)}`]),
        ...(values['tail'] === undefined ? [] : [`tailLines=${values['tail']}`]),
        ...(values['previous'] === undefined ? [] : ['previous=true']),
      ].join('&');
      const target = { resource: findResource(all, 'pods')!, name: pod.replace(/^pods?\//, '') };
      return [
        step({
          method: 'GET',
          path: `${pathOf(target.resource, namespace, target.name)}/log${query === '' ? '' : `?${query}`}`,
          show: 'raw',
          accept: '*/*',
        }),
      ];
    }
    default:
      throw new KubectlFailure(`unknown command "${command}" for "kubectl"`);
  }
}

interface Entry {
  readonly target: Target;
  /** JSON. */
  readonly object: string;
  readonly own: string | undefined;
}

function readManifest(text: string, all: readonly ServerResource[]): Entry[] {
  const documents = text.split(/^---\s*$/m).filter((part) => part.trim() !== '');
  return documents.flatMap((part) => {
    const parsed = parseYaml(part);
    if (parsed.error !== undefined) throw new KubectlFailure(`error parsing STDIN: ${parsed.error}`);
    const value = (parsed.value ?? {}) as ManifestObject;
    const objects = value.kind === 'List' ? (value.items ?? []) : [value];
    return objects.map((object): Entry => {
      const { apiVersion = '', kind = '', metadata = {} } = object;
      const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
      const resource = all.find((one) => one.group === group && one.version === version && one.kind === kind);
      if (resource === undefined) {
        throw new KubectlFailure(
          `resource mapping not found for name: "${metadata.name ?? ''}" namespace: "${metadata.namespace ?? ''}" from "STDIN": no matches for kind "${kind}" in version "${apiVersion}"\nensure CRDs are installed first`,
        );
      }
      return {
        target: { resource, name: metadata.name ?? '' },
        object: JSON.stringify(object),
        own: metadata.namespace,
      };
    });
  });
}

interface ManifestObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly items?: readonly ManifestObject[];
}
