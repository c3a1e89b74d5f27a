import { readDocuments } from '../../../tools/kubectl/discovery/manifest.js';
import { ApiFailure, PlainFailure } from '../../../tools/kubectl/session/failure.js';
import type { ApiObject, Session } from '../../../tools/kubectl/session/session.js';
import { KINDS, type CalicoKind } from './kinds.js';
import { pathOfKind, storedName } from './read.js';
import { kindOf } from './get.js';

type Fields = Readonly<Record<string, unknown>>;
export type Verb = 'apply' | 'create' | 'replace' | 'delete';

const PAST: Readonly<Record<Verb, string>> = {
  apply: 'applied',
  create: 'created',
  replace: 'replaced',
  delete: 'deleted',
};
const MAX_OBJECTS = 200;

interface Wanted {
  readonly kind: CalicoKind;
  readonly namespace: string;
  readonly name: string;
  readonly object: ApiObject;
}

/**
 * `calicoctl apply|create|replace|delete`, by files or, to delete, by names. Models calicoctl/commands/common. Left
 * out: the validation of what is written, beside that of the definitions.
 */
export function write(session: Session, verb: Verb, args: readonly string[]): void {
  const wanted = session.flags.has('filename') ? fromFiles(session) : named(session, verb, args);
  const kinds = new Set(wanted.map(({ kind }) => kind.kind));
  const single = kinds.size === 1 ? ` '${wanted[0]?.kind.kind ?? ''}'` : '';
  const count = wanted.length;
  let done = 0;
  for (const one of wanted) {
    const failure = attempt(session, verb, one);
    if (failure !== undefined) return explain(session, { verb, done, count, single, failure });
    done++;
  }
  session.out(`Successfully ${PAST[verb]} ${count}${single} resource(s)\n`);
}

interface Failed {
  readonly verb: Verb;
  readonly done: number;
  readonly count: number;
  readonly single: string;
  readonly failure: string;
}

function explain(session: Session, { verb, done, count, single, failure }: Failed): void {
  if (verb === 'delete') throw new PlainFailure(`Failed to delete${single} resource: ${failure}`);
  const what = single === '' || count > 1 ? `any${single} resources` : `${single.trim()} resource`;
  if (done === 0) throw new PlainFailure(`Failed to ${verb} ${what}: [${failure}]`);
  session.out(`Partial success: ${PAST[verb]} the first ${done} out of ${count}${single} resources:\n`);
  throw new PlainFailure(`Hit error: [${failure}]`);
}

function fromFiles(session: Session): Wanted[] {
  const path = session.flags.value('filename');
  const text = path === '-' ? session.stdin() : session.readFile(path);
  const objects = readDocuments(text, path).slice(0, MAX_OBJECTS);
  if (objects.length === 0) throw new PlainFailure('Failed to execute command: no resources specified');
  return objects.map((object) => {
    const kind = KINDS.find((one) => one.kind === object.kind);
    if (object.apiVersion !== 'projectcalico.org/v3' || kind === undefined)
      throw new PlainFailure(
        `Failed to execute command: unknown resource type: {${object.apiVersion ?? ''} ${object.kind ?? ''}}`,
      );
    const own = object.metadata?.namespace ?? '';
    const namespace = kind.isNamespaced ? own || session.flags.value('namespace') || 'default' : '';
    return { kind, namespace, name: object.metadata?.name ?? '', object };
  });
}

function named(session: Session, verb: Verb, [word = '', ...names]: readonly string[]): Wanted[] {
  if (verb !== 'delete' || word === '' || names.length === 0)
    throw new PlainFailure(`Failed to execute command: resource name may not be empty`);
  const kind = kindOf(word);
  const namespace = kind.isNamespaced ? session.flags.value('namespace') || 'default' : '';
  return names.flatMap((list) => list.split(',')).map((name) => ({ kind, namespace, name, object: {} }));
}

/** Undefined: it is done. */
function attempt(session: Session, verb: Verb, wanted: Wanted): string | undefined {
  const { kind, namespace, name } = wanted;
  if (kind.plural === undefined || kind.kind === 'ClusterInformation')
    return `operation ${verb === 'delete' ? 'Delete' : 'Create'} is not supported on ${kind.kind}(${name})`;
  try {
    carryOut(session, verb, wanted);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const id = `${kind.kind}(${namespace === '' ? '' : `${namespace}/`}${name})`;
    if (error.status === 404) return `resource does not exist: ${id} with error: ${error.message}`;
    if (error.reason === 'AlreadyExists') return `resource already exists: ${id}`;
    if (error.status === 403) return `connection is unauthorized: ${error.message}`;
    return `error with ${id}: ${error.message}`;
  }
}

function carryOut(session: Session, verb: Verb, { kind, namespace, name, object }: Wanted): void {
  const path = pathOfKind(kind, namespace, storedName(kind, name));
  if (verb === 'delete') {
    const skips = session.flags.isOn('skip-not-exists');
    if (skips && session.find(path) === undefined) return;
    session.send('DELETE', path, undefined, '');
    return;
  }
  const body = stored(kind, namespace, name, object);
  if (verb === 'create') {
    if (session.flags.isOn('skip-exists') && session.find(path) !== undefined) return;
    session.post(pathOfKind(kind, namespace), body);
    return;
  }
  const known = verb === 'apply' ? session.find(path) : session.get(path);
  if (known === undefined) session.post(pathOfKind(kind, namespace), body);
  else session.put(path, { ...known, spec: body['spec'] });
}

/** As its definition stores it. */
function stored(kind: CalicoKind, namespace: string, name: string, { metadata, spec }: ApiObject): Fields {
  const { annotations, labels } = metadata ?? {};
  return {
    ...{ apiVersion: 'crd.projectcalico.org/v1', kind: kind.kind },
    metadata: {
      name: storedName(kind, name),
      ...(namespace === '' ? {} : { namespace }),
      ...(annotations ? { annotations } : {}),
      ...(labels ? { labels } : {}),
    },
    spec: withDefaults(kind, (spec ?? {}) as Fields),
  };
}

/** What the client fills in. Models libcalico-go's lib/clientv3. */
function withDefaults({ kind }: CalicoKind, spec: Fields): Fields {
  if (kind === 'IPPool')
    return {
      ...{ allowedUses: ['Workload', 'Tunnel'], blockSize: 26, ipipMode: 'Never', nodeSelector: 'all()' },
      ...{ vxlanMode: 'Never' },
      ...spec,
    };
  if (kind !== 'NetworkPolicy' && kind !== 'GlobalNetworkPolicy') return spec;
  const has = (name: string): boolean => Array.isArray(spec[name]);
  const types = [...(has('ingress') || !has('egress') ? ['Ingress'] : []), ...(has('egress') ? ['Egress'] : [])];
  return { types, ...spec };
}
