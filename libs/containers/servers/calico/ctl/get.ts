import { formatYaml } from '../../../tools/kubectl/output/yaml.js';
import { ApiFailure, PlainFailure } from '../../../tools/kubectl/session/failure.js';
import type { Session } from '../../../tools/kubectl/session/session.js';
import { findKind, KINDS, type CalicoKind, type CalicoObject } from './kinds.js';
import { API, listKind } from './read.js';
import { tabbed } from './table.js';

const DEFAULT_AS = '64512';

/** The kind that a word means. Throws PlainFailure. */
export function kindOf(word: string): CalicoKind {
  const kind = findKind(word);
  if (kind) return kind;
  throw new PlainFailure(
    `Failed to execute command: resource type '${word}' is not supported\nValid resource types: ` +
      KINDS.map(({ aliases }) => aliases[0]).join(', '),
  );
}

/** `calicoctl get`. Models calicoctl/commands/get.go. Left out: -f, go-template. */
export function get(session: Session, args: readonly string[]): void {
  const { flags } = session;
  const [word, ...names] = args;
  if (word === undefined) throw new PlainFailure('Invalid option: resource kind is missing');
  const output = flags.value('output') || 'ps';
  if (!['ps', 'wide', 'yaml', 'json'].includes(output) && !output.startsWith('custom-columns='))
    throw new PlainFailure(`unrecognized output format '${output}'`);
  const isAll = flags.isOn('all-namespaces');
  for (const one of word.split(',')) show(session, kindOf(one), names, output, isAll);
}

function show(session: Session, kind: CalicoKind, names: readonly string[], output: string, isAll: boolean): void {
  const namespace = kind.isNamespaced && !isAll ? session.flags.value('namespace') || 'default' : '';
  const objects = choose(kind, read(session, kind, namespace), names, namespace);
  if (output === 'yaml') session.out(formatYaml(shape(kind, objects, names)));
  else if (output === 'json') session.out(JSON.stringify(shape(kind, objects, names), undefined, 2));
  else session.out(tableOf(session, kind, objects, output, isAll));
}

function read(session: Session, kind: CalicoKind, namespace: string): CalicoObject[] {
  try {
    return listKind(session, kind, namespace);
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const why = error.status === 403 ? `connection is unauthorized: ${error.message}` : error.message;
    throw new PlainFailure(`Failed to get resources: [${why}]`);
  }
}

function choose(
  kind: CalicoKind,
  all: readonly CalicoObject[],
  names: readonly string[],
  namespace: string,
): readonly CalicoObject[] {
  if (names.length === 0) return all;
  const wanted = names.flatMap((list) => list.split(','));
  return wanted.map((name) => {
    const bare = name.replace(/^default\./, '');
    const found = all.find(({ metadata }) => metadata.name === name || metadata.name === bare);
    if (found) return found;
    const id = `${kind.kind}(${namespace === '' ? '' : `${namespace}/`}${name})`;
    throw new PlainFailure(
      `Failed to get resources: [resource does not exist: ${id} with error: ` +
        `${kind.plural ?? kind.aliases[1] ?? ''}.crd.projectcalico.org "${name}" not found]`,
    );
  });
}

/** One object by itself, several as a list. */
function shape(kind: CalicoKind, objects: readonly CalicoObject[], names: readonly string[]): unknown {
  if (names.length === 1 && objects.length === 1) return objects[0];
  return { apiVersion: API, items: objects, kind: `${kind.kind}List`, metadata: {} };
}

function tableOf(
  session: Session,
  kind: CalicoKind,
  objects: readonly CalicoObject[],
  output: string,
  isAll: boolean,
): string {
  const custom = output.startsWith('custom-columns=') ? output.slice(15).toUpperCase().split(',') : undefined;
  const own = custom ?? (output === 'wide' ? kind.wide : kind.columns);
  const columns = kind.isNamespaced && isAll ? ['NAMESPACE', ...own] : own;
  const asNumber = columns.includes('ASN') && kind.kind === 'Node' ? asNumberOf(session) : '';
  const rows = objects.map((one) => columns.map((column) => kind.cell(column, one, asNumber)));
  return `${tabbed([columns, ...rows])}\n`;
}

function asNumberOf(session: Session): string {
  const found = session.find('/apis/crd.projectcalico.org/v1/bgpconfigurations/default');
  const { asNumber } = (found?.['spec'] ?? {}) as { readonly asNumber?: unknown };
  return typeof asNumber === 'number' ? String(asNumber) : DEFAULT_AS;
}
