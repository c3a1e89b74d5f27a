import type { Plain } from '../../../../../engine/kernel/process/program.js';
import { parseYaml } from '../../../../../engine/schema/index.js';
import { recording, recordLater } from './record.js';
import { findObjects } from '../../discovery/targets.js';
import { type FileObject, loadFiles } from '../../discovery/manifest.js';
import { pathOf, shownResource } from '../../discovery/resources.js';
import { FILES, PRINT, WRITE } from '../../flags/groups.js';
import { printObject, readFormat } from '../../output/printer.js';
import { KubectlFailure } from '../../session/failure.js';
import type { Session } from '../../session/session.js';
import { task } from '../../session/task.js';
import { dryRunOf, dryRunSuffix, writeQuery, type Command, type CommandGroup } from '../command.js';

const patch: Command = {
  flags: [...FILES, ...PRINT, ...WRITE, 'p,patch:', 'patch-file:', 'type:', 'local', 'subresource:'],
  run(session) {
    const { flags } = session;
    const type = flags.value('type').toLowerCase() || 'strategic';
    if (type !== 'strategic' && type !== 'merge' && type !== 'json')
      throw new KubectlFailure(`--type must be one of [json merge strategic], not "${flags.value('type')}"`);
    if (!flags.has('patch') && !flags.has('patch-file'))
      throw new KubectlFailure('must specify --patch or --patch-file containing the contents of the patch');
    if (flags.isOn('local')) throw new KubectlFailure('--local is not simulated');
    const text = flags.has('patch-file') ? session.readFile(flags.value('patch-file')) : flags.value('patch');
    const body = readPatch(text);
    const sub = flags.value('subresource');
    const format = readFormat(session);
    for (const { resource, path, name, object } of findObjects(session)) {
      if (dryRunOf(session) === 'client') {
        session.out(`${shownResource(resource)}/${name} patched${dryRunSuffix(session)}\n`);
        continue;
      }
      const to = `${path}${sub === '' ? '' : `/${sub}`}${writeQuery(session, 'kubectl-patch')}`;
      const after = session.patch(to, body, type);
      recordLater(session, path + writeQuery(session, 'kubectl-patch'));
      if (flags.has('output')) {
        session.out(printObject(session, format, after, resource));
        continue;
      }
      if (sub === 'scale') {
        session.out(`scale.autoscaling/${name} patched${dryRunSuffix(session)}\n`);
        continue;
      }
      const isSame = after.metadata?.resourceVersion === object.metadata?.resourceVersion;
      session.out(
        `${shownResource(resource)}/${name} patched${isSame ? ' (no change)' : ''}${dryRunSuffix(session)}\n`,
      );
    }
  },
};

/** JSON, or YAML as JSON. Throws KubectlFailure. */
function readPatch(text: string): string {
  const parsed = parseYaml(text);
  if (parsed.error !== undefined) throw new KubectlFailure(`unable to parse "${text}": yaml: ${parsed.error}`);
  return JSON.stringify(parsed.value);
}

const replace: Command = {
  flags: [
    ...FILES,
    ...PRINT,
    ...WRITE,
    'force',
    'grace-period:',
    'timeout:',
    'wait',
    'cascade::background',
    'subresource:',
  ],
  run(session) {
    if (!session.flags.has('filename')) throw new KubectlFailure('must specify one of -f and -k');
    if (session.flags.isOn('force'))
      return loadFiles(session).flatMap((file) => [
        task('delete object', file as unknown as Plain),
        task('replace object', file as unknown as Plain),
      ]);
    for (const found of findObjects(session, [])) replaceOne(session, found);
    return [];
  },
};

function replaceOne(session: Session, { resource, path, name, file }: ReturnType<typeof findObjects>[number]): void {
  if (!file) return;
  const after = session.put(path + writeQuery(session, 'kubectl-replace'), file.object);
  if (session.flags.has('output')) session.out(printObject(session, readFormat(session), after, resource));
  else session.out(`${shownResource(resource)}/${name} replaced${dryRunSuffix(session)}\n`);
}

/** After its deletion. Models ReplaceOptions.forceReplace. */
function recreate(session: Session, data: Plain): void {
  const { resource, namespace, name, object } = data as unknown as FileObject;
  const path = pathOf(resource, namespace) + writeQuery(session, 'kubectl-replace');
  const after = dryRunOf(session) === 'client' ? object : session.create(path, object);
  if (session.flags.has('output')) session.out(printObject(session, readFormat(session), after, resource));
  else session.out(`${shownResource(resource)}/${name} replaced${dryRunSuffix(session)}\n`);
}

export const group: CommandGroup = {
  commands: { patch: recording(patch), replace },
  tasks: { 'replace object': recreate },
};
