import { parse, parseAllDocuments } from 'yaml';
import { readPage, type Page } from './actions.js';
import { isRecord, joinScripts, LabWriter, textOf, toMinutes, type Folder, type Imported } from './imported.js';
import { endWatching } from './endless-commands.js';
import { commandsOf, localImages } from './marks.js';

/** Where the resource may lie. */
export const DEFINITIONS = ['resources/workshop.yaml', 'workshop.yaml', 'workshop/workshop.yaml'];
const CONTENT = 'workshop/content/';
const SETUP = 'workshop/setup.d/';
const TESTS = 'workshop/examiner/tests/';
const EXERCISES = 'exercises/';
const HOME = '/root';
const API_GROUP = /^training\.(educates\.dev|eduk8s\.io)\//;
const SPEC = ['title', 'description', 'duration', 'session', 'environment'];
const PARAMETER = /\{\{<\s*param\s+"?(\w+)"?\s*>\}\}/g;
/** Those that a lab knows: its cluster is the session's. */
const PARAMETERS: Readonly<Record<string, string>> = { session_namespace: 'default' };
const VARIABLE = /\$\((\w+)\)/;
/** Applications that a lab's page has, or whose absence nobody misses. */
const APPLICATIONS = new Set(['terminal', 'console', 'examiner']);
const MAX_SUMMARY = 1_000;

type Fields = Record<string, unknown>;

/** A workshop of Educates as a lab. Throws Error when there is no Workshop among its files. */
export function importEducates(source: Folder, folder: string): Imported {
  const writer = new LabWriter(source);
  const workshop = findWorkshop(source);
  if (!workshop) throw new Error(`none of ${DEFINITIONS.join(', ')} is a Workshop`);
  const spec = fieldsOf(workshop, 'spec');
  noteSpec(writer, spec);
  const pages = pagesOf(writer, source);
  const intro = pages.length > 1 && /overview|introduction/.test(pages[0]!.path) ? pages.shift() : undefined;
  const finish = pages.length > 1 && /summary|conclusion/.test(pages.at(-1)!.path) ? pages.pop() : undefined;
  for (const page of [intro, finish])
    if (page && page.tests.length > 0) writer.note(`${page.path}: its tests are left out: it is no step`);
  const exercises = exercisesOf(writer, source);
  const begin = exercises.length > 0 ? `cd ${HOME}/exercises` : undefined;
  return writer.finish(textOf(fieldsOf(workshop, 'metadata')['name']) ?? folder, {
    title: textOf(spec['title']) ?? folder,
    summary: textOf(spec['description'])?.trim().slice(0, MAX_SUMMARY),
    minutes: toMinutes(spec['duration']),
    manifests: manifestsOf(writer, spec),
    files: [...exercises, ...testsOf(writer, source)],
    setup: writer.keep('setup.sh', setupOf(writer, source)),
    intro: intro && writer.keep('intro.md', intro.text),
    steps: pages.map((page, i) => stepOf(writer, page, i, begin)),
    finish: finish && writer.keep('finish.md', finish.text),
  });
}

/** The resource of a folder, if it has one. */
export function findWorkshop(source: Folder): Fields | undefined {
  for (const path of DEFINITIONS)
    for (const document of parseAllDocuments(source.get(path) ?? '', { logLevel: 'silent' })) {
      const value: unknown = document.errors.length === 0 ? document.toJS({ maxAliasCount: 100 }) : undefined;
      if (isRecord(value) && value['kind'] === 'Workshop' && API_GROUP.test(String(value['apiVersion']))) return value;
    }
  return undefined;
}

function noteSpec(writer: LabWriter, spec: Fields): void {
  writer.noteUnknown(spec, SPEC, 'spec');
  const session = fieldsOf(spec, 'session');
  writer.noteUnknown(session, ['applications', 'objects'], 'spec.session');
  writer.noteUnknown(fieldsOf(spec, 'environment'), ['objects'], 'spec.environment');
  for (const [name, application] of Object.entries(fieldsOf(session, 'applications')))
    if (!APPLICATIONS.has(name) && !(isRecord(application) && application['enabled'] === false))
      writer.note(`spec.session.applications.${name}: is not taken over`);
  if (spec['duration'] !== undefined && toMinutes(spec['duration']) === undefined)
    writer.note('spec.duration: tells no minutes');
  if ((textOf(spec['description'])?.length ?? 0) > MAX_SUMMARY)
    writer.note(`spec.description: is cut after ${MAX_SUMMARY} characters`);
}

/** Objects whose fields are filled in for each session have no meaning here. */
function manifestsOf(writer: LabWriter, spec: Fields): object[] {
  return ['environment', 'session'].flatMap((part) => {
    const objects = fieldsOf(spec, part)['objects'];
    if (!Array.isArray(objects)) return [];
    return objects.filter(isRecord).filter((object, i) => {
      const [, variable] = VARIABLE.exec(JSON.stringify(object)) ?? [];
      if (variable !== undefined)
        writer.note(`spec.${part}.objects[${i}]: is left out: nothing stands for $(${variable})`);
      return variable === undefined;
    });
  });
}

const TITLE = 'title:';

interface NamedPage extends Page {
  readonly path: string;
  readonly title: string;
}

function pagesOf(writer: LabWriter, source: Folder): NamedPage[] {
  return orderOf(writer, source).flatMap((path) => {
    const whole = writer.read(path, 'workshop/content');
    if (whole === undefined) return [];
    const [, head = '', body = ''] = /^(?:---\n([\s\S]*?)\n---\n)?([\s\S]*)$/.exec(whole) ?? [];
    const title = givenTitle(head) || titleOf(path);
    const page = readPage(writer, fillIn(writer, body, path), path);
    for (const image of localImages(page.text)) writer.note(`${path}: the picture ${image} is left out`);
    return [{ ...page, path, title }];
  });
}

/** Pages by the module list of old workshops, else by their names. */
function orderOf(writer: LabWriter, source: Folder): string[] {
  const all = [...source.keys()].filter((path) => path.startsWith(CONTENT) && path.endsWith('.md')).sort();
  const list: unknown = parse(source.get('workshop/workshop.yaml') ?? '', { logLevel: 'silent' });
  const activate = isRecord(list) ? fieldsOf(list, 'modules')['activate'] : undefined;
  if (!Array.isArray(activate)) return all;
  const named = activate.map((name) => `${CONTENT}${String(name)}.md`);
  for (const path of all) if (!named.includes(path)) writer.note(`${path}: is not among the modules, and left out`);
  return named;
}

const givenTitle = (head: string): string =>
  (head.split('\n').find((line) => line.startsWith(TITLE)) ?? '')
    .slice(TITLE.length)
    .trim()
    .replace(/^["']|["']$/g, '');

const titleOf = (path: string): string =>
  path
    .slice(path.lastIndexOf('/') + 1, -'.md'.length)
    .replace(/^\d+[-_]/, '')
    .replace(/[-_]/g, ' ');

const fillIn = (writer: LabWriter, text: string, path: string): string =>
  text.replace(PARAMETER, (whole, name: string) => {
    const value = PARAMETERS[name];
    if (value === undefined) writer.note(`${path}: nothing stands for the parameter ${name}`);
    return value ?? whole;
  });

function stepOf(writer: LabWriter, page: NamedPage, i: number, begin: string | undefined): object {
  const folder = `step-${i + 1}`;
  const verify = joinScripts(
    page.tests.map((words) => [`${TESTS_AT}/${words[0]}`, ...words.slice(1).map(quote)].join(' ')),
  );
  const commands = verify === undefined ? [] : commandsOf(page.text);
  if (commands.length > 0) writer.note(`${page.path}: its solution is the commands that a click runs`);
  const kept = {
    text: writer.keep(`${folder}/text.md`, page.text),
    foreground: i === 0 ? begin : undefined,
    verify: writer.keep(`${folder}/verify.sh`, verify && `set -e\n${verify}`),
    solution: writer.keep(
      `${folder}/solution.sh`,
      commands.length > 0 ? joinScripts([begin, ...commands.map(endWatching)]) : undefined,
    ),
  };
  return { title: page.title, ...Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)) };
}

const TESTS_AT = '/opt/workshop/tests';
const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

const testsOf = (writer: LabWriter, source: Folder): object[] =>
  filesBelow(writer, source, TESTS, TESTS_AT).map((file) => ({ ...file, mode: '755' }));

const exercisesOf = (writer: LabWriter, source: Folder): object[] =>
  filesBelow(writer, source, EXERCISES, `${HOME}/exercises`);

function filesBelow(writer: LabWriter, source: Folder, from: string, to: string): object[] {
  return [...source.keys()]
    .filter((path) => path.startsWith(from))
    .sort()
    .flatMap((path) => {
      const content = writer.read(path, from.slice(0, -1));
      if (content === undefined) return [];
      return [{ path: `${to}/${path.slice(from.length)}`, content: writer.keep(path, content) ?? '' }];
    });
}

function setupOf(writer: LabWriter, source: Folder): string | undefined {
  const scripts = [...source.keys()].filter((path) => path.startsWith(SETUP)).sort();
  return joinScripts(scripts.map((path) => writer.read(path, 'workshop/setup.d')?.replace(/^#!.*\n/, '')));
}

const fieldsOf = (value: Fields, field: string): Fields => (isRecord(value[field]) ? value[field] : {});
