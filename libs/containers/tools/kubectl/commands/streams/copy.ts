import type { Plain } from '../../../../../engine/kernel/process/program.js';
import { bytesOf, textOf } from '../../../../../engine/kernel/bytes.js';
import { pathOf } from '../../discovery/resources.js';
import { resourceNamed } from '../../discovery/targets.js';
import { KubectlFailure } from '../../session/failure.js';
import type { Session } from '../../session/session.js';
import { task, type Task } from '../../session/task.js';
import type { Command, CommandGroup } from '../command.js';
import { containersOf } from '../pods.js';
import { packFiles, pathExists, unpackFiles } from '../../../sessions/copy-files.js';
import { podPath, requireAlive, streamQuery } from './exec.js';

/** A place: on this machine without a pod. */
interface Place {
  readonly namespace: string;
  readonly pod: string;
  readonly path: string;
}

/** What goes to a pod, or comes from it; plain data. */
type Copy = {
  readonly exec: string;
  readonly from: string;
  readonly to: string;
  readonly pod: string;
  readonly namespace: string;
};

const FORMAT = 'filespec must match the canonical format: [[namespace/]pod:]file/path';

/** Models k8s.io/kubectl/pkg/cmd/cp: tar at both ends of an exec. */
const cp: Command = {
  flags: ['c,container:', 'no-preserve', 'retries:'],
  run(session) {
    const { args } = session;
    if (args.length !== 2) throw new KubectlFailure('source and destination are required');
    const [from, to] = [readPlace(args[0]!), readPlace(args[1]!)];
    if (from.pod !== '' && to.pod !== '')
      throw new KubectlFailure('one of src or dest must be a local file specification');
    if (from.path === '' || to.path === '') throw new KubectlFailure('filepath can not be empty');
    if (from.pod === '' && to.pod === '')
      throw new KubectlFailure('one of src or dest must be a remote file specification');
    if (from.pod === '' && !pathExists(session.sys, bytesOf(from.path)))
      throw new KubectlFailure(`${from.path} doesn't exist in local filesystem`);
    const remote = from.pod === '' ? to : from;
    const namespace = remote.namespace || session.namespace;
    const pod = session.get(pathOf(resourceNamed(session, 'pods'), namespace, remote.pod));
    requireAlive(pod, 'exec into a container in');
    const [container = ''] = containersOf(session, pod);
    const exec = `${podPath(session, pod)}/exec?container=${encodeURIComponent(container)}`;
    const copy: Copy = { exec, from: from.path, to: to.path, pod: remote.pod, namespace };
    if (from.pod === '') return askForFolder(session, copy);
    session.stream = {
      ...runIn(copy, ['tar', 'cf', '-', from.path], false),
      ...{ output: 'collected', after: task('cp unpack', copy as unknown as Plain) },
    };
    return [];
  },
};

function readPlace(text: string): Place {
  const at = text.indexOf(':');
  if (at === 0) throw new KubectlFailure(FORMAT);
  if (at < 0) return { namespace: '', pod: '', path: text };
  const parts = text.slice(0, at).split('/');
  if (parts.length > 2) throw new KubectlFailure(FORMAT);
  const [namespace, pod] = parts.length === 2 ? (parts as [string, string]) : ['', parts[0]!];
  return { namespace, pod, path: text.slice(at + 1) };
}

const runIn = ({ exec }: Copy, command: readonly string[], stdin: boolean) => {
  const query = streamQuery('', { stdin, tty: false }, command).replace(/(^|&)container=(&|$)/, '$1');
  return { path: `${exec}&${query}`, stdin, tty: false, tellsExit: true };
};

/** Whether the files go into a folder that is there. */
function askForFolder(session: Session, copy: Copy): Task[] {
  session.stream = {
    ...runIn(copy, ['test', '-d', copy.to], false),
    ...{ output: 'dropped', after: task('cp send', copy as unknown as Plain) },
  };
  return [];
}

function sendFiles(session: Session, data: Plain): void {
  const { code, ...copy } = data as unknown as Copy & { code: number };
  const source = clean(copy.from);
  const base = source.slice(source.lastIndexOf('/') + 1);
  const target = clean(code === 0 ? `${copy.to}/${base}` : copy.to);
  const folder = target.slice(0, target.lastIndexOf('/')) || (target.startsWith('/') ? '/' : '');
  const name = target.slice(target.lastIndexOf('/') + 1);
  const preserves = session.flags.isOn('no-preserve') ? ['--no-same-permissions', '--no-same-owner'] : [];
  const command = ['tar', ...preserves, '-xmf', '-', ...(folder === '' ? [] : ['-C', folder])];
  session.stream = {
    ...runIn(copy, command, true),
    input: packFiles(session.sys, [[bytesOf(source), bytesOf(name)]]),
  };
}

function takeFiles(session: Session, data: Plain): void {
  const { code, output, ...copy } = data as unknown as Copy & { code: number; output: string };
  if (code !== 0) {
    session.err(`command terminated with exit code ${code}\n`);
    session.code = code;
    return;
  }
  // Paths are sent without the slash that they begin with.
  const prefix = clean(copy.from)
    .replace(/^\/+/, '')
    .replace(/^(?:\.\.\/)+/, '');
  unpackFiles(session.sys, output, bytesOf(prefix === '.' ? '' : prefix), bytesOf(clean(copy.to)), {
    warn: (line) => session.err(`${textOf(line)}\n`),
    hint: `kubectl exec -n "${copy.namespace}" "${copy.pod}" -- tar cf - "${copy.from}" | tar xf -`,
  });
}

/** Models path.Clean. */
function clean(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '' && part !== '.' && !(part === '..' && path.startsWith('/'))) parts.push(part);
  }
  return (path.startsWith('/') ? '/' : '') + parts.join('/') || '.';
}

export const group: CommandGroup = {
  commands: { cp },
  tasks: { 'cp send': sendFiles, 'cp unpack': takeFiles },
};
