import type { Plain } from '../../../../../engine/kernel/process/program.js';
import { parseYaml } from '../../../../../engine/schema/index.js';
import { findObjects } from '../../discovery/targets.js';
import { pathOf, type ServerResource, shownResource } from '../../discovery/resources.js';
import { FILES, PRINT, WRITE } from '../../flags/groups.js';
import { formatYaml, withoutManagedFields } from '../../output/printer.js';
import { ApiFailure, KubectlFailure, PlainFailure } from '../../session/failure.js';
import { type ApiObject, type Session, writeText } from '../../session/session.js';
import { task } from '../../session/task.js';
import type { Command, CommandGroup } from '../command.js';
import { writeQuery } from '../command.js';
import { BUILT_IN } from './apply.js';
import { planEdit } from './plan-edit.js';
import { recording, recordLater } from './record.js';

/** What stands before the object. Models k8s.io/kubectl/pkg/cmd/util/editor editHeader. */
const HEADER = [
  "Please edit the object below. Lines beginning with a '#' will be ignored,",
  'and an empty file will abort the edit. If an error occurs while saving this file will be',
  'reopened with the relevant failures.',
  '',
];
const EDITORS = ['KUBE_EDITOR', 'EDITOR'];
const DEFAULT_EDITOR = 'vi';

/** One edit under way: it is plain data. */
type Edit = {
  readonly resource: ServerResource;
  readonly namespace: string;
  readonly name: string;
  readonly file: string;
  /** JSON of the object as it was fetched. */
  readonly original: string;
  /** The file's text when the editor was opened. */
  readonly text: string;
  /** It was opened again, after a refusal. */
  readonly isAgain: boolean;
};

/** Opens an object in an editor and sends what has changed. Models pkg/cmd/util/editor editoptions.go. */
const edit: Command = {
  flags: [...FILES, ...PRINT, ...WRITE, 'l,selector:', 'output-patch', 'subresource:', 'windows-line-endings'],
  run(session) {
    const found = findObjects(session);
    const [first] = found;
    if (!first) return [];
    if (found.length > 1) throw new KubectlFailure('editing several objects at once is not simulated');
    const { resource, namespace, name, object } = first;
    const number = Math.floor(session.sys.random() * 4_000_000_000);
    const file = `/tmp/kubectl-edit-${number}.yaml`;
    const original = withoutManagedFields(object);
    return open(session, {
      ...{ resource, namespace, name, file, original: JSON.stringify(original), isAgain: false },
      text: textOf(HEADER, original),
    });
  },
};

const textOf = (header: readonly string[], object: ApiObject): string =>
  `${header.map((line) => (line === '' ? '#' : `# ${line}`)).join('\n')}\n${formatYaml(object)}`;

/** The editor has the terminal; what follows it is `edit done`. */
function open(session: Session, state: Edit): [] {
  const { sys } = session;
  writeText(session, state.file, state.text);
  const editor = EDITORS.map((name) => sys.env[name] ?? '').find((name) => name !== '') ?? DEFAULT_EDITOR;
  // A shell only for an editor that is more than a word. Models k8s.io/kubectl/pkg/cmd/util/editor Launch.
  session.child = {
    argv: /[\s'"\\]/.test(editor) ? ['/bin/sh', '-c', `${editor} ${state.file}`] : [editor, state.file],
    missing: `unable to launch the editor "${editor}"`,
    failed: `there was a problem with the editor "${editor}"`,
    after: task('edit done', state as unknown as Plain),
  };
  return [];
}

function finish(session: Session, data: Plain): readonly never[] {
  const state = data as unknown as Edit;
  const text = session.readFile(state.file);
  if (isEmpty(text)) return abort(session, state, 'Edit cancelled, saved file was empty.');
  if (text === state.text) {
    if (!state.isAgain) return abort(session, state, 'Edit cancelled, no changes made.');
    session.err(`A copy of your changes has been stored to "${state.file}"\n`);
    throw new KubectlFailure('Edit cancelled, no valid changes were saved.');
  }
  const parsed = parseYaml(text);
  const edited = parsed.value as ApiObject | undefined;
  if (parsed.error !== undefined || typeof edited !== 'object')
    return openAgain(session, state, text, [`The edited file had a syntax error: ${parsed.error ?? 'no object'}`]);
  return send(session, state, text, edited);
}

const isEmpty = (text: string): boolean => text.split('\n').every((line) => /^\s*(?:#.*)?$/.test(line));

function abort(session: Session, { file }: Edit, message: string): [] {
  session.sys.unlink(file);
  session.err(`${message}\n`);
  return [];
}

function send(session: Session, state: Edit, text: string, edited: ApiObject): [] {
  const { resource, namespace, name } = state;
  const original = JSON.parse(state.original) as ApiObject;
  if (edited.kind !== original.kind || edited.apiVersion !== original.apiVersion || edited.metadata?.name !== name)
    throw new KubectlFailure('At least one of apiVersion, kind and name was changed');
  const isBuiltIn = BUILT_IN.test(resource.group);
  const patch = planEdit(original, edited, isBuiltIn);
  if (patch === undefined) return abort(session, state, 'Edit cancelled, no changes made.');
  const sub = session.flags.value('subresource');
  const path = `${pathOf(resource, namespace, name)}${sub === '' ? '' : `/${sub}`}`;
  try {
    session.patch(path + writeQuery(session, 'kubectl-edit'), patch, isBuiltIn ? 'strategic' : 'merge');
    recordLater(session, pathOf(resource, namespace, name) + writeQuery(session, 'kubectl-edit'));
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.reason !== 'Invalid' && error.status !== 400) throw error;
    return openAgain(session, state, text, reasonsOf(resource, name, error));
  }
  session.sys.unlink(state.file);
  session.out(`${shownResource(resource)}/${name} edited\n`);
  return [];
}

function reasonsOf({ plural, group }: ServerResource, name: string, { body, message }: ApiFailure): string[] {
  const what = `${plural}${group === '' ? '' : `.${group}`} ${JSON.stringify(name)}`;
  const causes = (body.details?.causes ?? []).map(({ field = '', message: why = '' }) => `* ${field}: ${why}`);
  return [`${what} was not valid:`, ...(causes.length > 0 ? causes : [`* ${message}`])];
}

/** The file again, with what was refused before the object. Without a terminal nobody could mend it. */
function openAgain(session: Session, state: Edit, text: string, reasons: readonly string[]): [] {
  const [what = ''] = reasons;
  if (!session.sys.isTerminal(0)) throw new PlainFailure(`error: ${what.replace(/ was not valid:$/, ' is invalid')}`);
  session.err(`error: ${what.replace(/ was not valid:$/, ' is invalid')}\n`);
  const header = [...HEADER, ...reasons, ''].map((line) => (line === '' ? '#' : `# ${line}`)).join('\n');
  return open(session, { ...state, text: `${header}\n${withoutHeader(text)}`, isAgain: true });
}

const withoutHeader = (text: string): string => {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => !line.startsWith('#'));
  return lines.slice(Math.max(0, first)).join('\n');
};

export const group: CommandGroup = { commands: { edit: recording(edit) }, tasks: { 'edit done': finish } };
