import { recordCause, recording } from './record.js';
import { parseQuantities } from './quantities.js';
import { type Found, findObjects } from '../../discovery/targets.js';
import { shownResource } from '../../discovery/resources.js';
import { FILES, PRINT, SELECT, WRITE } from '../../flags/groups.js';
import { printObject, readFormat } from '../../output/printer.js';
import { KubectlFailure } from '../../session/failure.js';
import type { ApiObject, KubeJson, Session } from '../../session/session.js';
import { dryRunOf, dryRunSuffix, writeQuery, type Command, type CommandGroup } from '../command.js';

const COMMON = [...SELECT, ...FILES, ...PRINT, ...WRITE];

interface Container extends KubeJson {
  readonly name: string;
  readonly image?: string;
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
}

interface PodSpec {
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
}

/** Where the pod's spec stands in an object, and what it is. Throws KubectlFailure for what has none. */
function podSpecOf(object: ApiObject): { readonly at: readonly string[]; readonly spec: PodSpec } {
  const paths: Readonly<Record<string, readonly string[]>> = {
    Pod: ['spec'],
    CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  };
  const kind = object.kind ?? '';
  const at = Object.hasOwn(paths, kind) ? paths[kind]! : ['spec', 'template', 'spec'];
  let value: unknown = object;
  for (const field of at) value = (value as KubeJson | undefined)?.[field];
  if (typeof value !== 'object' || value === null)
    throw new KubectlFailure(`the object is not a pod or does not have a pod template: ${kind}`);
  return { at, spec: value as PodSpec };
}

const nest = (at: readonly string[], value: unknown): ApiObject =>
  [...at].reverse().reduce<unknown>((inner, field) => ({ [field]: inner }), value) as ApiObject;

/** Sends a change of an object's pod spec, and says so. */
function send(session: Session, found: Found, at: readonly string[], change: unknown, verb: string): void {
  const { resource, path, name, object } = found;
  const isClient = dryRunOf(session) === 'client';
  const after = isClient
    ? object
    : session.patch(path + writeQuery(session, 'kubectl-set'), recordCause(session, nest(at, change)), 'strategic');
  if (after.metadata?.resourceVersion === object.metadata?.resourceVersion && !isClient) return;
  if (session.flags.has('output')) return session.out(printObject(session, readFormat(session), after, resource));
  session.out(`${shownResource(resource)}/${name} ${verb}${dryRunSuffix(session)}\n`);
}

const image: Command = {
  flags: COMMON,
  run(session) {
    const [args, pairs] = splitPairs(session.args);
    if (Object.keys(pairs).length === 0) throw new KubectlFailure('at least one image update is required');
    const wildcard = pairs['*'];
    if (wildcard !== undefined && Object.keys(pairs).length > 1)
      throw new KubectlFailure(
        'all containers are already specified by *, but saw more than one container_name=container_image pairs',
      );
    for (const found of findObjects(session, args)) {
      const { at, spec } = podSpecOf(found.object);
      const all = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
      const names = wildcard === undefined ? Object.keys(pairs) : all.map(({ name }) => name);
      for (const name of names)
        if (!all.some((one) => one.name === name)) throw new KubectlFailure(`unable to find container named "${name}"`);
      const pick = (list: readonly Container[] = []): object[] =>
        list.filter(({ name }) => names.includes(name)).map(({ name }) => ({ name, image: wildcard ?? pairs[name] }));
      const [containers, initContainers] = [pick(spec.containers), pick(spec.initContainers)];
      const change = {
        ...(containers.length > 0 ? { containers } : {}),
        ...(initContainers.length > 0 ? { initContainers } : {}),
      };
      send(session, found, at, change, 'image updated');
    }
  },
};

/** `a=b` and the rest. Throws KubectlFailure. */
function splitPairs(args: readonly string[]): [rest: string[], pairs: Record<string, string>] {
  const pairs: Record<string, string> = {};
  const rest: string[] = [];
  for (const word of args) {
    const at = word.indexOf('=');
    if (at > 0) pairs[word.slice(0, at)] = word.slice(at + 1);
    else rest.push(word);
  }
  return [rest, pairs];
}

const selected = ({ flags }: Session, { containers = [] }: PodSpec): readonly Container[] => {
  const wanted = flags.value('containers') || '*';
  if (wanted === '*') return containers;
  return containers.filter(({ name }) => name === wanted);
};

const env: Command = {
  flags: [...COMMON, 'c,containers:', 'e,env:', 'from:', 'prefix:', 'keys:', 'list', 'resolve', 'overwrite'],
  run(session) {
    const { flags, args } = session;
    if (flags.has('resolve')) throw new KubectlFailure('--resolve is not simulated');
    const isChange = (word: string): boolean => word.includes('=') || word.endsWith('-');
    const words = [...args.filter(isChange), ...flags.all('env')];
    const from = flags.has('from') ? envFrom(session) : [];
    if (words.length === 0 && from.length === 0 && !flags.isOn('list'))
      throw new KubectlFailure('at least one environment variable must be provided');
    for (const found of findObjects(
      session,
      args.filter((word) => !isChange(word)),
    )) {
      const { at, spec } = podSpecOf(found.object);
      const containers = selected(session, spec);
      if (flags.isOn('list')) {
        listEnv(session, found, containers);
        continue;
      }
      const change = containers.map(({ name }) => ({
        name,
        env: [
          ...from,
          ...words.map((word) => {
            const cut = word.indexOf('=');
            return cut < 0
              ? { name: word.slice(0, -1), $patch: 'delete' }
              : { name: word.slice(0, cut), value: word.slice(cut + 1) };
          }),
        ],
      }));
      send(session, found, at, { containers: change }, 'env updated');
    }
  },
};

/** Variables for the keys of a ConfigMap or a Secret. */
function envFrom(session: Session): object[] {
  const { flags, namespace } = session;
  const [type = '', name = ''] = flags.value('from').split('/');
  const isSecret = /^secrets?$/.test(type);
  if (!isSecret && !/^(configmaps?|cm)$/.test(type))
    throw new KubectlFailure(`unsupported resource specified in --from`);
  const object = session.get(`/api/v1/namespaces/${namespace}/${isSecret ? 'secrets' : 'configmaps'}/${name}`);
  const wanted = flags.list('keys');
  const keys = Object.keys((object['data'] ?? {}) as object).filter(
    (key) => wanted.length === 0 || wanted.includes(key),
  );
  return keys.sort().map((key) => ({
    name: flags.value('prefix') + key.toUpperCase().replace(/[^A-Z0-9_]/g, '_'),
    valueFrom: { [isSecret ? 'secretKeyRef' : 'configMapKeyRef']: { name, key } },
  }));
}

function listEnv(session: Session, { resource, name }: Found, containers: readonly Container[]): void {
  for (const container of containers) {
    session.out(
      `# ${resource.kind.toLowerCase() === 'pod' ? 'pods' : resource.plural}/${name}, container ${container.name}\n`,
    );
    for (const one of container.env ?? [])
      session.out(
        one.valueFrom ? `# ${one.name} ${describeSource(one.valueFrom)}\n` : `${one.name}=${one.value ?? ''}\n`,
      );
  }
}

function describeSource(source: object): string {
  const { configMapKeyRef, secretKeyRef, fieldRef } = source as Readonly<
    Record<string, { name?: string; key?: string; fieldPath?: string }>
  >;
  if (configMapKeyRef) return `from configmap ${configMapKeyRef.name}, key ${configMapKeyRef.key}`;
  if (secretKeyRef) return `from secret ${secretKeyRef.name}, key ${secretKeyRef.key}`;
  return `from field path ${fieldRef?.fieldPath ?? ''}`;
}

const resources: Command = {
  flags: [...COMMON, 'c,containers:', 'limits:', 'requests:'],
  run(session) {
    const { flags } = session;
    const limits = parseQuantities(flags.value('limits'));
    const requests = parseQuantities(flags.value('requests'));
    if (!limits && !requests)
      throw new KubectlFailure('you must specify an update to requests or limits (in the form of --requests/--limits)');
    for (const found of findObjects(session)) {
      const { at, spec } = podSpecOf(found.object);
      const value = { ...(limits ? { limits } : {}), ...(requests ? { requests } : {}) };
      const containers = selected(session, spec).map(({ name }) => ({ name, resources: value }));
      send(session, found, at, { containers }, 'resource requirements updated');
    }
  },
};

const serviceaccount: Command = {
  flags: COMMON,
  run(session) {
    const args = [...session.args];
    const name = args.pop();
    if (name === undefined) throw new KubectlFailure('serviceaccount is required');
    for (const found of findObjects(session, args)) {
      const { at } = podSpecOf(found.object);
      send(session, found, at, { serviceAccountName: name }, 'serviceaccount updated');
    }
  },
};

const selector: Command = {
  flags: [...COMMON, 'resource-version:'],
  run(session) {
    const args = [...session.args];
    const text = args.pop();
    if (text === undefined)
      throw new KubectlFailure('one or more resources must be specified as <resource> <name> or <resource>/<name>');
    const pairs = Object.fromEntries(text.split(',').map((part) => part.split('=') as [string, string]));
    for (const { resource, name, path, object } of findObjects(session, args)) {
      const old = ((object['spec'] ?? {}) as { selector?: Record<string, string> }).selector ?? {};
      const gone = Object.fromEntries(Object.keys(old).map((key) => [key, null]));
      if (dryRunOf(session) !== 'client')
        session.patch(
          path + writeQuery(session, 'kubectl-set'),
          recordCause(session, { spec: { selector: { ...gone, ...pairs } } }),
        );
      session.out(`${shownResource(resource)}/${name} selector updated${dryRunSuffix(session)}\n`);
    }
  },
};

const subject: Command = {
  flags: [...COMMON, 'user:', 'group:', 'serviceaccount:'],
  run(session) {
    const { flags } = session;
    const subjects = [
      ...flags.all('user').map((name) => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name })),
      ...flags.all('group').map((name) => ({ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name })),
      ...flags.list('serviceaccount').map((text) => {
        const [namespace = '', name = ''] = text.split(':');
        return { kind: 'ServiceAccount', name, namespace };
      }),
    ];
    if (subjects.length === 0)
      throw new KubectlFailure('you must specify at least one value of user, group or serviceaccount');
    for (const { resource, name, path, object } of findObjects(session)) {
      const old = (object['subjects'] ?? []) as readonly object[];
      const fresh = subjects.filter((one) => !old.some((known) => sameSubject(known, one)));
      if (fresh.length === 0) continue;
      if (dryRunOf(session) !== 'client')
        session.patch(path + writeQuery(session, 'kubectl-set'), { subjects: [...old, ...fresh] });
      session.out(`${shownResource(resource)}/${name} subjects updated${dryRunSuffix(session)}\n`);
    }
  },
};

function sameSubject(a: object, b: object): boolean {
  const [x, y] = [a as Record<string, string>, b as Record<string, string>];
  return x['kind'] === y['kind'] && x['name'] === y['name'] && (x['namespace'] ?? '') === (y['namespace'] ?? '');
}

export const group: CommandGroup = {
  commands: {
    'set image': recording(image),
    'set env': env,
    'set resources': recording(resources),
    'set serviceaccount': recording(serviceaccount),
    'set sa': recording(serviceaccount),
    'set selector': recording(selector),
    'set subject': subject,
  },
};
