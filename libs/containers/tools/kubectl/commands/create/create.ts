import type { Plain } from '../../../../../engine/kernel/process/program.js';
import { type FileObject, loadFiles } from '../../discovery/manifest.js';
import { pathOf, shownResource } from '../../discovery/resources.js';
import { attempt } from '../../discovery/targets.js';
import { FILES, PRINT, WRITE } from '../../flags/groups.js';
import { printObject, readFormat } from '../../output/printer.js';
import { ApiFailure, KubectlFailure, UsageFailure } from '../../session/failure.js';
import type { Session } from '../../session/session.js';
import { task } from '../../session/task.js';
import { dryRunOf, dryRunSuffix, writeQuery, type Command, type CommandGroup } from '../command.js';
import { withAnnotation } from '../write/last-applied.js';
import { access } from './access.js';
import { config } from './config.js';
import { expose } from './expose.js';
import { others } from './others.js';
import { run } from './run.js';
import { workloads } from './workloads.js';

const create: Command = {
  flags: [...FILES, ...PRINT, ...WRITE, 'edit', 'raw:', 'l,selector:', 'windows-line-endings'],
  run(session) {
    const { flags, args } = session;
    if (!flags.has('filename') && !flags.has('kustomize')) {
      if (args.length > 0) throw new UsageFailure(`Unexpected args: [${args.join(' ')}]`, session.path);
      throw new KubectlFailure('must specify one of -f and -k');
    }
    if (flags.isOn('edit')) throw new KubectlFailure('--edit is not simulated');
    return loadFiles(session).map((file) => task('create object', file as unknown as Plain));
  },
};

function createFile(session: Session, data: Plain): void {
  const { resource, namespace, name, object, source } = data as unknown as FileObject;
  attempt(session, () => {
    const full = session.flags.isOn('save-config') ? withAnnotation(object) : object;
    try {
      const path = pathOf(resource, namespace) + writeQuery(session, 'kubectl-create', { fieldValidation: 'Strict' });
      const made = dryRunOf(session) === 'client' ? full : session.create(path, full);
      if (session.flags.has('output')) session.out(printObject(session, readFormat(session), made, resource));
      else session.out(`${shownResource(resource)}/${made.metadata?.name ?? name} created${dryRunSuffix(session)}\n`);
    } catch (error) {
      throw error instanceof ApiFailure ? error.with(`error when creating "${source}": `) : error;
    }
    return [];
  });
}

export const group: CommandGroup = {
  commands: { create, ...workloads, ...config, ...access, ...others, expose, run: run.command },
  tasks: { 'create object': createFile, ...run.tasks },
};
