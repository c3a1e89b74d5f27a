import { ApiFailure, explain, KubectlFailure } from '../session/failure.js';
import type { ApiObject, Session } from '../session/session.js';
import { loadFiles, type FileObject } from './manifest.js';
import { findResource, pathOf, type ServerResource } from './resources.js';

/** A resource, and the names of it that are meant; none: all of them. */
export interface Target {
  readonly resource: ServerResource;
  readonly names: readonly string[];
}

const MIXED =
  "there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'";
export const NOTHING_GIVEN = `You must provide one or more resources by argument or filename.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'
   '<resource> <name>'
   '<resource>'`;
const NO_NAME = 'resource(s) were provided, but no name was specified';

/** Throws KubectlFailure for a type that the server does not have. */
export function resourceNamed(session: Session, word: string): ServerResource {
  const found = findResource(session.resources, word);
  if (!found) throw new KubectlFailure(`the server doesn't have a resource type "${word}"`);
  return found;
}

/** `pods a b`, `pod/a deploy/b`, `pods,svc`, `all`. Throws KubectlFailure. */
export function readTargets(session: Session, args: readonly string[]): Target[] {
  if (args.some((word) => word.includes('/'))) {
    return args.map((word) => {
      const parts = word.split('/');
      if (parts.length === 1) throw new KubectlFailure(MIXED);
      if (parts.length > 2)
        throw new KubectlFailure('arguments in resource/name form may not have more than one slash');
      const [type = '', name = ''] = parts;
      if (type === '' || name === '')
        throw new KubectlFailure(`arguments in resource/name form must have a single resource and name`);
      return { resource: resourceNamed(session, type), names: [name] };
    });
  }
  const [types = '', ...names] = args;
  if (args.length === 0) return [];
  return types.split(',').flatMap((type) => {
    const category = session.resources.filter(
      ({ categories, verbs }) => categories.includes(type) && verbs.includes('list'),
    );
    if (category.length > 0) return category.map((resource) => ({ resource, names }));
    return [{ resource: resourceNamed(session, type), names }];
  });
}

/** Targets that have names. Throws KubectlFailure. */
export function readNamed(session: Session, args: readonly string[]): Target[] {
  const targets = readTargets(session, args);
  if (targets.length === 0) throw new KubectlFailure(NOTHING_GIVEN);
  if (targets.some(({ names }) => names.length === 0)) throw new KubectlFailure(NO_NAME);
  return targets;
}

/** `?labelSelector=…&fieldSelector=…`, and more; '' for none. */
export function queryOf(session: Session, more: Readonly<Record<string, string>> = {}): string {
  const { flags } = session;
  const parts = Object.entries({
    labelSelector: flags.value('selector'),
    fieldSelector: flags.value('field-selector'),
    ...more,
  }).filter(([, value]) => value !== '');
  if (parts.length === 0) return '';
  return `?${parts.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')}`;
}

export const scopeOf = (session: Session): string => (session.flags.isOn('all-namespaces') ? '' : session.namespace);

/** An object of the server, and how it is reached. */
export interface Found {
  readonly resource: ServerResource;
  readonly object: ApiObject;
  readonly path: string;
  readonly name: string;
  readonly namespace: string;
  /** What stands in its file, when one was given. */
  readonly file?: FileObject;
}

export function foundOf(resource: ServerResource, object: ApiObject, file?: FileObject): Found {
  const { name = '', namespace = '' } = object.metadata ?? {};
  return { resource, object, name, namespace, path: pathOf(resource, namespace, name), ...(file && { file }) };
}

/**
 * The objects that arguments, selectors or files mean. One that is not there is told on standard error, and the exit
 * code is 1. Throws KubectlFailure.
 */
export function findObjects(session: Session, args: readonly string[] = session.args): Found[] {
  const files = loadFiles(session);
  if (files.length > 0)
    return files.flatMap((file) =>
      attempt(session, () => {
        const object = session.get(pathOf(file.resource, file.namespace, file.name));
        return [foundOf(file.resource, { ...identity(file.resource), ...object }, file)];
      }),
    );
  const { flags } = session;
  const selects = flags.value('selector') !== '' || flags.value('field-selector') !== '' || flags.isOn('all');
  const targets = selects ? readTargets(session, args) : readNamed(session, args);
  if (targets.length === 0) throw new KubectlFailure(NOTHING_GIVEN);
  if (selects && targets.some(({ names }) => names.length > 0))
    throw new KubectlFailure('name cannot be provided when a selector is specified');
  return targets.flatMap(({ resource, names }) =>
    names.length > 0
      ? names.flatMap((name) =>
          attempt(session, () => [
            foundOf(resource, { ...identity(resource), ...session.get(pathOf(resource, session.namespace, name)) }),
          ]),
        )
      : attempt(session, () => listOf(session, resource, scopeOf(session)).map((object) => foundOf(resource, object))),
  );
}

/** A collection's objects, each with its apiVersion and kind. */
export function listOf(session: Session, resource: ServerResource, namespace: string, query?: string): ApiObject[] {
  const list = session.get(pathOf(resource, namespace) + (query ?? queryOf(session)));
  const items = Array.isArray(list['items']) ? (list['items'] as ApiObject[]) : [];
  return items.map((object) => ({ ...identity(resource), ...object }));
}

export const identity = ({ group, version, kind }: ServerResource): { apiVersion: string; kind: string } => ({
  apiVersion: group === '' ? version : `${group}/${version}`,
  kind,
});

/** Goes on after a refusal, which is told. */
export function attempt<T>(session: Session, act: () => readonly T[]): readonly T[] {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    session.err(`${explain(error)}\n`);
    session.code = 1;
    return [];
  }
}
