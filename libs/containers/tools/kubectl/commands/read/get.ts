import type { Plain } from '../../../../../engine/kernel/process/program.js';
import { pathOf, type ServerResource, shownResource } from '../../discovery/resources.js';
import { loadFiles } from '../../discovery/manifest.js';
import { attempt, listOf, identity, queryOf, readTargets, scopeOf } from '../../discovery/targets.js';
import { FILES, PRINT, SELECT } from '../../flags/groups.js';
import { findValues } from '../../output/jsonpath.js';
import { printObject, readFormat } from '../../output/printer.js';
import { type ApiTable, formatTable, TABLE_TYPE, tableRows, type TableRow } from '../../output/table.js';
import { ApiFailure, KubectlFailure, PlainFailure } from '../../session/failure.js';
import type { ApiObject, Session } from '../../session/session.js';
import { task, type Task } from '../../session/task.js';
import type { Command, CommandGroup } from '../command.js';

/** A collection, or one object of it. */
type Source = { readonly resource: ServerResource; readonly namespace: string; readonly name: string };

/** How often a watch looks: the cluster's own watches do not reach into a pod. */
const LOOK_EVERY = 1_000;

const get: Command = {
  flags: [
    ...[...SELECT, ...FILES, ...PRINT, 'w,watch', 'watch-only', 'output-watch-events', 'show-labels', 'show-kind'],
    ...['L,label-columns:', 'sort-by:', 'no-headers', 'ignore-not-found', 'chunk-size:', 'server-print', 'raw:'],
    'subresource:',
  ],
  run(session) {
    const { flags } = session;
    if (flags.has('raw')) return void session.out(session.call({ path: flags.value('raw'), accept: '*/*' }).body);
    const format = readFormat(session, true);
    const sources = sourcesOf(session);
    const isTable = format.name === '' || format.name === 'wide';
    if (flags.isOn('watch') || flags.isOn('watch-only')) return watch(session, sources);
    if (isTable) showTables(session, sources);
    else showObjects(session, sources);
  },
};

function sourcesOf(session: Session): Source[] {
  const files = loadFiles(session);
  if (files.length > 0) return files.map(({ resource, namespace, name }) => ({ resource, namespace, name }));
  if (session.args.length === 0)
    throw new PlainFailure(
      `You must specify the type of resource to get. Use "kubectl api-resources" for a complete list of supported resources.\n\nerror: Required resource not specified.\nUse "kubectl explain <resource>" for a detailed description of that resource (e.g. kubectl explain pods).\nSee 'kubectl get -h' for help and examples`,
    );
  const targets = readTargets(session, session.args);
  const hasNames = targets.some(({ names }) => names.length > 0);
  if (hasNames && session.flags.isOn('all-namespaces'))
    throw new KubectlFailure('a resource cannot be retrieved by name across all namespaces');
  if (hasNames && session.flags.value('selector') !== '')
    throw new KubectlFailure('name cannot be provided when a selector is specified');
  return targets.flatMap(({ resource, names }) =>
    (names.length === 0 ? [''] : names).map((name) => ({ resource, namespace: scopeOf(session), name })),
  );
}

const pathOfSource = (session: Session, { resource, namespace, name }: Source, more = {}): string => {
  const sub = session.flags.value('subresource');
  return `${pathOf(resource, namespace, name)}${sub === '' ? '' : `/${sub}`}${name === '' ? queryOf(session, more) : ''}`;
};

interface Shown {
  readonly source: Source;
  readonly table: ApiTable;
}

/** What is there of the sources; refusals are told at the end. */
function fetchTables(session: Session, sources: readonly Source[], failures: ApiFailure[]): Shown[] {
  const more = session.flags.has('sort-by') ? { includeObject: 'Object' } : {};
  return sources.flatMap((source) => {
    try {
      const path = pathOfSource(session, source, more);
      return [{ source, table: session.get(path, TABLE_TYPE) as unknown as ApiTable }];
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if (!(session.flags.isOn('ignore-not-found') && error.status === 404)) failures.push(error);
      return [];
    }
  });
}

function showTables(session: Session, sources: readonly Source[]): void {
  const failures: ApiFailure[] = [];
  const found = fetchTables(session, sources, failures);
  const blocks = joinBlocks(found);
  const shows = blocks.filter(({ rows }) => rows.length > 0);
  const isMixed = new Set(sources.map(({ resource }) => resource)).size > 1;
  shows.forEach(({ source, table, rows }, at) => {
    if (at > 0) session.out('\n');
    const sorted = { ...table, rows: sortRows(session, rows) };
    session.out(formatTable(tableRows(sorted, optionsOf(session, source, isMixed))));
  });
  const isEmpty = shows.length === 0 && failures.length === 0 && !session.flags.isOn('ignore-not-found');
  if (isEmpty) sayNothingFound(session, sources);
  tell(session, failures);
}

/** Consecutive answers of one resource stand in one table. */
function joinBlocks(found: readonly Shown[]): (Shown & { rows: TableRow[] })[] {
  const blocks: (Shown & { rows: TableRow[] })[] = [];
  for (const one of found) {
    const last = blocks.at(-1);
    if (last?.source.resource === one.source.resource) last.rows.push(...(one.table.rows ?? []));
    else blocks.push({ ...one, rows: [...(one.table.rows ?? [])] });
  }
  return blocks;
}

function optionsOf(session: Session, { resource }: Source, isMixed: boolean): Parameters<typeof tableRows>[1] {
  const { flags } = session;
  return {
    isWide: flags.value('output') === 'wide',
    withNamespace: flags.isOn('all-namespaces') && resource.isNamespaced,
    kind: isMixed || flags.isOn('show-kind') ? shownResource(resource) : '',
    showLabels: flags.isOn('show-labels'),
    labelColumns: flags.list('label-columns'),
    noHeaders: flags.isOn('no-headers'),
    now: session.now,
  };
}

function sayNothingFound(session: Session, sources: readonly Source[]): void {
  const isEverywhere = session.flags.isOn('all-namespaces') || sources.every(({ resource }) => !resource.isNamespaced);
  session.err(isEverywhere ? 'No resources found\n' : `No resources found in ${session.namespace} namespace.\n`);
}

function tell(session: Session, failures: readonly ApiFailure[]): void {
  for (const failure of failures)
    attempt(session, () => {
      throw failure;
    });
}

function sortRows(session: Session, rows: readonly TableRow[]): TableRow[] {
  const path = session.flags.value('sort-by');
  if (path === '') return [...rows];
  const keys = rows.map((row) => findValues(path, row.object)[0]);
  if (rows.length > 0 && keys.every((key) => key === undefined))
    throw new KubectlFailure(`couldn't find any field with path "${braced(path)}" in the list of objects`);
  return rows
    .map((row, i) => ({ row, key: keys[i] }))
    .sort((a, b) => compareKeys(a.key, b.key))
    .map(({ row }) => row);
}

const braced = (path: string): string => (path.startsWith('{') ? path : `{${path.startsWith('.') ? '' : '.'}${path}}`);

function compareKeys(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [x, y] = [String(a), String(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

function showObjects(session: Session, sources: readonly Source[]): void {
  const format = readFormat(session, true);
  const failures: ApiFailure[] = [];
  const objects: { readonly resource: ServerResource; readonly object: ApiObject }[] = [];
  for (const source of sources) {
    const { resource, name } = source;
    try {
      if (name === '') {
        const items = listOf(session, resource, source.namespace, pathOfSource(session, source).replace(/^[^?]*/, ''));
        objects.push(...items.map((object) => ({ resource, object })));
      } else
        objects.push({ resource, object: { ...identity(resource), ...session.get(pathOfSource(session, source)) } });
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if (!(session.flags.isOn('ignore-not-found') && error.status === 404)) failures.push(error);
    }
  }
  print(session, format, sources, objects, failures.length > 0);
  tell(session, failures);
}

function print(
  session: Session,
  format: ReturnType<typeof readFormat>,
  sources: readonly Source[],
  objects: readonly { readonly resource: ServerResource; readonly object: ApiObject }[],
  hasFailed: boolean,
): void {
  if (format.name === 'name') {
    for (const { resource, object } of objects) session.out(printObject(session, format, object, resource));
    return;
  }
  const isOne = sources.length === 1 && sources[0]!.name !== '';
  if (isOne) {
    if (objects[0]) session.out(printObject(session, format, objects[0].object));
    return;
  }
  if (objects.length === 0 && hasFailed) return;
  const rows = sortRows(
    session,
    objects.map(({ object }) => ({ cells: [], object })),
  );
  const items = rows.map(({ object }) => object);
  session.out(
    printObject(session, format, { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } }),
  );
}

/** What was seen of an object: its version, and its row. */
type Seen = { readonly [uid: string]: { readonly version: string; readonly row: string } };

function watch(session: Session, sources: readonly Source[]): Task[] {
  if (new Set(sources.map(({ resource }) => resource)).size > 1)
    throw new KubectlFailure('you may only specify a single resource type');
  const [source] = sources;
  if (!source) return [];
  return look(session, source, {}, true);
}

/** Prints what is new since the last look, each row under the columns of the first. */
function look(session: Session, source: Source, seen: Seen, isFirst: boolean): Task[] {
  const { flags } = session;
  const path = pathOfSource(session, source);
  const table = session.get(path, TABLE_TYPE) as unknown as ApiTable;
  const rows = table.rows ?? [];
  const next: Record<string, Seen[string]> = {};
  const shown: { row: TableRow; event: string }[] = [];
  for (const row of rows) {
    const { uid = '', resourceVersion: version = '' } = row.object?.metadata ?? {};
    const known = Object.hasOwn(seen, uid) ? seen[uid] : undefined;
    next[uid] = { version, row: JSON.stringify(row) };
    if (known?.version !== version) shown.push({ row, event: known ? 'MODIFIED' : 'ADDED' });
  }
  for (const [uid, { row }] of Object.entries(seen))
    if (!Object.hasOwn(next, uid)) shown.push({ row: JSON.parse(row) as TableRow, event: 'DELETED' });
  const isQuiet = isFirst && flags.isOn('watch-only');
  if (shown.length > 0 && !isQuiet) {
    const events = flags.isOn('output-watch-events') ? shown.map(({ event }) => event) : undefined;
    const lines = tableRows(
      { ...table, rows: shown.map(({ row }) => row) },
      { ...optionsOf(session, source, false), noHeaders: flags.isOn('no-headers') },
      events,
    );
    const text = formatTable(lines);
    session.out(isFirst || flags.isOn('no-headers') ? text : text.slice(text.indexOf('\n') + 1));
  }
  return [task('get watch', { source: source as unknown as Plain, seen: next as unknown as Plain }, LOOK_EVERY)];
}

function lookAgain(session: Session, data: Plain): Task[] {
  const { source, seen } = data as unknown as { source: Source; seen: Seen };
  return look(session, source, seen, false);
}

export const group: CommandGroup = { commands: { get }, tasks: { 'get watch': lookAgain } };
