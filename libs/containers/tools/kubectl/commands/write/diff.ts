import type { Plain } from '../../../../../engine/kernel/process/program.js';
import { SystemError } from '../../../../../engine/kernel/errno.js';
import { chooseFiles, type FileObject, loadFiles } from '../../discovery/manifest.js';
import { pathOf } from '../../discovery/resources.js';
import { FILES, WRITE } from '../../flags/groups.js';
import { formatYaml, withoutManagedFields } from '../../output/printer.js';
import { ApiFailure, KubectlFailure, UsageFailure } from '../../session/failure.js';
import { type ApiObject, PATCH_TYPES, type Session, writeText } from '../../session/session.js';
import { task, type Task } from '../../session/task.js';
import type { Command, CommandGroup } from '../command.js';
import { BUILT_IN } from './apply.js';
import { readLastApplied } from './last-applied.js';
import { planPatch } from './three-way.js';

const MANAGER = 'kubectl-client-side-apply';
/** Folders with the objects as they are, and as they would be. */
type Folders = { readonly live: string; readonly merged: string };

/** Models k8s.io/kubectl/pkg/cmd/diff, whose 1 means that something differs. */
const diff: Command = {
  failureCode: 2,
  flags: [
    ...[...FILES, ...WRITE, 'l,selector:', 'server-side', 'force-conflicts', 'show-managed-fields', 'concurrency:'],
    ...['prune', 'prune-allowlist:', 'show-secrets'],
  ],
  run(session) {
    const { flags, args, sys } = session;
    if (args.length > 0) throw new UsageFailure(`Unexpected args: [${args.join(' ')}]`, session.path);
    if (!flags.has('filename') && !flags.has('kustomize')) throw new KubectlFailure('must specify one of -f and -k');
    if (flags.isOn('prune')) throw new KubectlFailure('--prune is not simulated');
    const files = chooseFiles(session, loadFiles(session));
    const folder = (name: string): string => {
      const path = `${sys.env['TMPDIR'] ?? '/tmp'}/${name}-${Math.floor(sys.random() * 4_000_000_000)}`;
      sys.makeDirectory(path, 0o700);
      return path;
    };
    const folders: Folders = { live: folder('LIVE'), merged: folder('MERGED') };
    return [
      ...files.map((file) => task('diff object', { file, folders } as unknown as Plain)),
      task('diff show', folders as unknown as Plain),
    ];
  },
};

function compare(session: Session, data: Plain): void {
  const { file, folders } = data as unknown as { file: FileObject; folders: Folders };
  const { resource, namespace, name } = file;
  let pair: [ApiObject | undefined, ApiObject];
  try {
    const live = session.find(pathOf(resource, namespace, name));
    const merged = mergeWith(session, file, live);
    pair = [live && { apiVersion: file.object.apiVersion!, kind: file.object.kind!, ...live }, merged];
  } catch (error) {
    // Not while an answer is waited for.
    if (error instanceof ApiFailure || error instanceof KubectlFailure) remove(session, folders);
    throw error;
  }
  const shown = session.flags.isOn('show-managed-fields') ? pair : pair.map((one) => one && withoutManagedFields(one));
  const [before, after] =
    resource.kind === 'Secret' && resource.group === '' && !session.flags.isOn('show-secrets')
      ? maskSecrets(shown[0], shown[1]!)
      : shown;
  const group = resource.group === '' ? '' : `${resource.group}.`;
  const fileName = `${group}${resource.version}.${resource.kind}.${namespace}.${name}`;
  writeText(session, `${folders.live}/${fileName}`, before ? formatYaml(before) : '');
  writeText(session, `${folders.merged}/${fileName}`, formatYaml(after));
}

/** What an apply would leave. */
function mergeWith(
  session: Session,
  { resource, namespace, name, object }: FileObject,
  live: ApiObject | undefined,
): ApiObject {
  const path = pathOf(resource, namespace, name);
  const { flags } = session;
  if (flags.isOn('server-side')) {
    const force = flags.isOn('force-conflicts') ? 'true' : 'false';
    const query = `?dryRun=All&fieldManager=${flags.value('field-manager') || 'kubectl'}&force=${force}`;
    return session.send('PATCH', path + query, object, PATCH_TYPES.apply);
  }
  const query = `?dryRun=All&fieldManager=${flags.value('field-manager') || MANAGER}`;
  if (!live) return session.create(pathOf(resource, namespace) + query, object);
  const isBuiltIn = BUILT_IN.test(resource.group);
  const annotations = object.metadata?.annotations ?? {};
  const before = readLastApplied(live) ?? {};
  const patch = planPatch(before, { ...object, metadata: { ...object.metadata, annotations } }, isBuiltIn);
  return session.patch(path + query, patch, isBuiltIn ? 'strategic' : 'merge');
}

const MASK = '***';

/** Models diff.Masker: values are not shown, only whether they differ. */
function maskSecrets(live: ApiObject | undefined, merged: ApiObject): [ApiObject | undefined, ApiObject] {
  const dataOf = (one: ApiObject | undefined): Record<string, string> =>
    (one?.['data'] ?? {}) as Record<string, string>;
  const [from, to] = [dataOf(live), dataOf(merged)];
  const mask = (own: Record<string, string>, other: Record<string, string>, when: string): Record<string, string> =>
    Object.fromEntries(
      Object.keys(own).map((key) => [
        key,
        Object.hasOwn(other, key) && own[key] !== other[key] ? `${MASK} (${when})` : MASK,
      ]),
    );
  const withMask = (one: ApiObject, data: Record<string, string>): ApiObject =>
    Object.keys(data).length === 0 ? one : { ...one, data };
  return [live && withMask(live, mask(from, to, 'before')), withMask(merged, mask(to, from, 'after'))];
}

/** The program of KUBECTL_EXTERNAL_DIFF, or diff. */
function show(session: Session, data: Plain): Task[] {
  const folders = data as unknown as Folders;
  const [name = 'diff', ...words] = (session.sys.env['KUBECTL_EXTERNAL_DIFF'] ?? 'diff -u -N')
    .split(' ')
    .filter((word) => word !== '');
  session.child = {
    argv: [name, ...words, folders.live, folders.merged],
    missing: `failed to run ${JSON.stringify(name)}: executable file not found in $PATH`,
    after: task('diff done', data),
  };
  return [];
}

function finish(session: Session, data: Plain): void {
  const { code, ...folders } = data as unknown as Folders & { code: number };
  remove(session, folders);
  const [program] = (session.sys.env['KUBECTL_EXTERNAL_DIFF'] ?? 'diff').split(' ');
  if (code > 1) throw new KubectlFailure(`failed to run ${JSON.stringify(program)}: exit status ${code}`);
  session.code = code;
}

function remove({ sys }: Session, { live, merged }: Folders): void {
  for (const folder of [live, merged]) {
    try {
      for (const name of sys.readDirectory(folder)) sys.unlink(`${folder}/${name}`);
      sys.removeDirectory(folder);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
    }
  }
}

export const group: CommandGroup = {
  commands: { diff },
  tasks: { 'diff object': compare, 'diff show': show, 'diff done': finish },
};
