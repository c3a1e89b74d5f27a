import { KubectlFailure, ApiFailure } from '../../session/failure.js';
import { chooseFiles, type FileObject, loadFiles } from '../../discovery/manifest.js';
import { pathOf, type ServerResource, shownResource } from '../../discovery/resources.js';
import { attempt } from '../../discovery/targets.js';
import { FILES, PRINT, WRITE } from '../../flags/groups.js';
import { printObject, readFormat, sortKeys } from '../../output/printer.js';
import type { ApiObject, Session } from '../../session/session.js';
import { PATCH_TYPES } from '../../session/session.js';
import { task } from '../../session/task.js';
import { LAST_APPLIED, readLastApplied, withAnnotation } from './last-applied.js';
import { dryRunOf, dryRunSuffix, writeQuery, type Command, type CommandGroup } from '../command.js';
import type { Plain } from '../../../../../engine/kernel/process/program.js';
import { checkPrune, planPrune, prune } from './prune.js';
import { recordCause, recording } from './record.js';
import { planPatch } from './three-way.js';

/** Groups whose objects the server merges by the types of their fields. */
export const BUILT_IN = /^$|\.k8s\.io$|^(apps|batch|autoscaling|policy)$/;

const apply: Command = {
  flags: [
    ...[...FILES, ...PRINT, ...WRITE, 'server-side', 'force-conflicts', 'force', 'overwrite', 'wait', 'timeout:'],
    ...[
      'grace-period:',
      'cascade::background',
      'l,selector:',
      'openapi-patch',
      'all',
      'prune',
      'prune-allowlist:',
      'prune-whitelist:',
    ],
  ],
  run(session) {
    const { flags } = session;
    if (session.args.length > 0)
      throw new KubectlFailure(
        `Unexpected args: [${session.args.join(' ')}]\nSee 'kubectl apply -h' for help and examples`,
      );
    if (!flags.has('filename') && !flags.has('kustomize')) throw new KubectlFailure('must specify one of -f and -k');
    const prunes = flags.isOn('prune');
    if (prunes) checkPrune(session);
    readFormat(session);
    dryRunOf(session);
    const files = chooseFiles(session, loadFiles(session));
    if (files.length === 0) throw new KubectlFailure('no objects passed to apply');
    const tasks = files.map((file) => task('apply object', file as unknown as Plain));
    return prunes ? [...tasks, planPrune(session, files)] : tasks;
  },
};

function applyObject(session: Session, data: Plain): void {
  const read = data as unknown as FileObject;
  const file = { ...read, object: recordCause(session, read.object) };
  attempt(session, () => {
    const object = session.flags.isOn('server-side') ? applyOnServer(session, file) : applyHere(session, file);
    if (session.flags.has('output')) session.out(printObject(session, readFormat(session), object, file.resource));
    return [];
  });
}

const done = (session: Session, { resource, name }: { resource: ServerResource; name: string }, verb: string): void => {
  if (!session.flags.has('output')) session.out(`${shownResource(resource)}/${name} ${verb}${dryRunSuffix(session)}\n`);
};

function applyOnServer(session: Session, file: FileObject): ApiObject {
  const force = session.flags.isOn('force-conflicts') ? { force: 'true' } : { force: 'false' };
  const path = pathOf(file.resource, file.namespace, file.name) + writeQuery(session, 'kubectl', force);
  const object = session.send('PATCH', path, file.object, PATCH_TYPES.apply);
  done(session, file, 'serverside-applied');
  return object;
}

/** Models pkg/cmd/apply applyOneObject. */
function applyHere(session: Session, file: FileObject): ApiObject {
  const { resource, namespace, name, source } = file;
  const path = pathOf(resource, namespace, name);
  const current = name === '' ? undefined : session.find(path);
  const applied = withAnnotation(file.object);
  if (!current) {
    if (dryRunOf(session) === 'client') {
      done(session, file, 'created');
      return file.object;
    }
    try {
      const made = session.create(pathOf(resource, namespace) + writeQuery(session, MANAGER), applied);
      done(session, { resource, name: made.metadata?.name ?? name }, 'created');
      return made;
    } catch (error) {
      throw error instanceof ApiFailure ? error.with(`error when creating "${source}": `) : error;
    }
  }
  const before = readLastApplied(current);
  if (before === undefined) warnAboutAnnotation(session, file);
  if (dryRunOf(session) === 'client') {
    done(session, file, 'configured');
    return current;
  }
  return patch(session, file, current, planPatch(before ?? {}, applied, BUILT_IN.test(resource.group)));
}

const MANAGER = 'kubectl-client-side-apply';

function patch(session: Session, file: FileObject, current: ApiObject, body: unknown): ApiObject {
  const { resource, namespace, name, source } = file;
  const path = pathOf(resource, namespace, name);
  const type = BUILT_IN.test(resource.group) ? 'strategic' : 'merge';
  try {
    const after = session.patch(path + writeQuery(session, MANAGER), body, type);
    const isSame = after.metadata?.resourceVersion === current.metadata?.resourceVersion;
    done(session, file, isSame ? 'unchanged' : 'configured');
    return after;
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    throw error.with(
      `error when applying patch:\n${JSON.stringify(sortKeys(body))}\nto:\nResource: "${resource.group === '' ? '' : `${resource.group}/`}${resource.version}, Resource=${resource.plural}", GroupVersionKind: "${resource.group}/${resource.version}, Kind=${resource.kind}"\nName: "${name}", Namespace: "${namespace}"\nfor: "${source}": error when patching "${source}": `,
    );
  }
}

function warnAboutAnnotation(session: Session, { resource, name }: FileObject): void {
  session.err(
    `Warning: resource ${resource.plural}/${name} is missing the ${LAST_APPLIED} annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.\n`,
  );
}

export const group: CommandGroup = {
  commands: { apply: recording(apply) },
  tasks: { 'apply object': applyObject, 'apply prune': prune },
};
