import { endWatching } from './endless-commands.js';
import { foldedCommandsOf } from './folded-commands.js';
import { commandsOf, localImages, unknownMarks } from './marks.js';
import { isRecord, joinScripts, LabWriter, textOf, toMinutes, type Folder, type Imported } from './imported.js';

export const INDEX = 'index.json';
const ROOT_FIELDS = ['title', 'description', 'time', 'details', 'backend'];
const DETAILS = ['intro', 'steps', 'finish', 'assets'];
const SCREEN = ['title', 'text', 'foreground', 'background', 'code', 'courseData'];
const STEP = [...SCREEN, 'verify', 'answer'];
const ASSETS = 'assets/';
const MAX_SUMMARY = 1_000;

/** Backends with a cluster. */
const BACKENDS = new Set([
  'kubernetes-kubeadm-1node',
  'kubernetes-kubeadm-1node-4GB',
  'kubernetes-kubeadm-2nodes',
  'kubernetes-k3s-1node',
]);
/** The only node takes all pods. */
const ONE_NODE = { nodes: 0, controlPlaneTaint: false };
const TWO_NODES = { nodes: [{ names: ['node01'] }] };
/** Their hosts, as the lab's cluster calls them. */
const HOSTS: Readonly<Record<string, string>> = { host01: 'controlplane', host02: 'node01' };

/** Its terminals know kubectl by a letter. */
const ALIAS = { node: 'controlplane', path: '/etc/profile.d/kubectl.sh', content: 'alias k=kubectl\n' };

const USES_ALIAS = /^[ \t]*k /m;

type Fields = Record<string, unknown>;

/** A scenario of Killercoda (and of Katacoda before it) as a lab. Throws SyntaxError when its index is no JSON. */
export function importKillercoda(source: Folder, folder: string): Imported {
  const writer = new LabWriter(source);
  const index = JSON.parse(source.get(INDEX) ?? '') as Fields;
  const details = fieldsOf(index, 'details');
  const [intro, finish] = [fieldsOf(details, 'intro'), fieldsOf(details, 'finish')];
  writer.noteUnknown(index, ROOT_FIELDS, '');
  writer.noteUnknown(details, DETAILS, 'details');
  writer.noteUnknown(intro, SCREEN, 'details.intro');
  writer.noteUnknown(finish, ['title', 'text'], 'details.finish');
  const begins = scriptsOf(writer, intro, 'details.intro');
  if (begins.background !== undefined)
    writer.note(
      'details.intro.background: runs before the learner comes, as setup; when it fails, /var/log/setup.log says how',
    );
  const listed = Array.isArray(details['steps']) ? details['steps'].filter(isRecord) : [];
  // It may be no more than its intro, or a terminal without a text.
  const steps = listed.length > 0 ? listed : [{ title: intro['title'] ?? index['title'], text: intro['text'] }];
  return writer.finish(folder, {
    title: textOf(index['title']) ?? folder,
    summary: summaryOf(writer, index),
    minutes: minutesOf(writer, index),
    cluster: clusterOf(writer, fieldsOf(index, 'backend')),
    files: [ALIAS, ...assetsOf(writer, fieldsOf(details, 'assets'))],
    setup: writer.keep('setup.sh', begins.background),
    // Nobody looks at how its scripts end.
    ignoreExitCodes: true,
    intro: listed.length > 0 ? writer.keep('intro.md', markdownOf(writer, intro, 'details.intro')) : undefined,
    steps: steps.map((step, i) => stepOf(writer, step, i, i === 0 ? begins.foreground : undefined)),
    finish: writer.keep('finish.md', markdownOf(writer, finish, 'details.finish')),
  });
}

function stepOf(writer: LabWriter, step: Fields, i: number, before: string | undefined): object {
  const where = `details.steps[${i}]`;
  const folder = `step-${i + 1}`;
  writer.noteUnknown(step, STEP, where);
  const text = markdownOf(writer, step, where);
  const { foreground, background } = scriptsOf(writer, step, where);
  const verify = fileOf(writer, step, 'verify', where);
  const answer = fileOf(writer, step, 'answer', where);
  const commands = verify === undefined ? [] : solutionOf(writer, text ?? '', where);
  return {
    title: textOf(step['title']) ?? `Step ${i + 1}`,
    ...kept({
      text: writer.keep(`${folder}/text.md`, text),
      background: writer.keep(`${folder}/background.sh`, background),
      foreground: writer.keep(`${folder}/foreground.sh`, joinScripts([before, foreground])),
      verify: writer.keep(`${folder}/verify.sh`, verify),
      solution: writer.keep(`${folder}/solution.sh`, joinScripts(withAlias(commands))),
    }),
    ...(answer === undefined ? {} : { hints: [writer.keep(`${folder}/answer.md`, answer)] }),
  };
}

/** A script knows no aliases by itself, as a terminal does. */
const withAlias = (commands: readonly string[]): string[] =>
  commands.some((command) => USES_ALIAS.test(command))
    ? [`shopt -s expand_aliases; ${ALIAS.content.trim()}`, ...commands]
    : [...commands];

function solutionOf(writer: LabWriter, text: string, where: string): string[] {
  const clicked = commandsOf(text);
  const commands = clicked.length > 0 ? clicked : foldedCommandsOf(text);
  const which = clicked.length > 0 ? 'that a click runs' : 'that it folds away';
  if (commands.length > 0) writer.note(`${where}: its solution is the commands of its text ${which}`);
  return commands.map(endWatching);
}

const kept = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Katacoda called them code and courseData. */
function scriptsOf(
  writer: LabWriter,
  screen: Fields,
  where: string,
): { foreground: string | undefined; background: string | undefined } {
  const [foreground, background] = [
    'foreground' in screen ? 'foreground' : 'code',
    'background' in screen ? 'background' : 'courseData',
  ];
  return {
    foreground: fileOf(writer, screen, foreground, where),
    background: fileOf(writer, screen, background, where),
  };
}

function markdownOf(writer: LabWriter, screen: Fields, where: string): string | undefined {
  const text = fileOf(writer, screen, 'text', where);
  for (const mark of unknownMarks(text ?? '')) writer.note(`${where}: the mark {{${mark}}} means nothing in a lab`);
  for (const image of localImages(text ?? '')) writer.note(`${where}: the picture ${image} is left out`);
  return text;
}

function fileOf(writer: LabWriter, screen: Fields, field: string, where: string): string | undefined {
  const name = textOf(screen[field]);
  return name === undefined ? undefined : writer.read(name, `${where}.${field}`);
}

function summaryOf(writer: LabWriter, index: Fields): string | undefined {
  const summary = textOf(index['description']);
  if ((summary?.length ?? 0) > MAX_SUMMARY) writer.note(`description: is cut after ${MAX_SUMMARY} characters`);
  return summary?.slice(0, MAX_SUMMARY);
}

function minutesOf(writer: LabWriter, index: Fields): number | undefined {
  const minutes = toMinutes(index['time']);
  if (index['time'] !== undefined && minutes === undefined) writer.note('time: tells no minutes');
  return minutes;
}

function clusterOf(writer: LabWriter, backend: Fields): object {
  const image = textOf(backend['imageid']) ?? '';
  writer.noteUnknown(backend, ['imageid'], 'backend');
  if (!BACKENDS.has(image))
    writer.note(`backend.imageid: "${image}" is not known: commands run on the control plane’s node of a cluster`);
  const nodes = image.includes('1node') ? ONE_NODE : TWO_NODES;
  return { controlPlane: 'controlplane', ...nodes, storageClass: 'local-path' };
}

function assetsOf(writer: LabWriter, assets: Fields): object[] {
  return Object.entries(assets).flatMap(([host, list]) => {
    const where = `details.assets.${host}`;
    const node = HOSTS[host];
    if (node === undefined || !Array.isArray(list)) {
      writer.note(`${where}: is not taken over`);
      return [];
    }
    return list.filter(isRecord).flatMap((asset, i) => assetOf(writer, asset, node, `${where}[${i}]`));
  });
}

function assetOf(writer: LabWriter, asset: Fields, node: string, where: string): object[] {
  writer.noteUnknown(asset, ['file', 'target', 'chmod'], where);
  const pattern = textOf(asset['file']) ?? '';
  const folder = (textOf(asset['target']) ?? '/root').replace(/^~/, '/root').replace(/(?<!\/)\/+$/, '');
  const found = assetFiles(writer.source, pattern);
  if (found.length === 0) writer.note(`${where}: there is no ${ASSETS}${pattern}`);
  return found.flatMap((path) => {
    const content = writer.read(path, where);
    if (content === undefined) return [];
    // The file of a lab, not the one on the node.
    const file = writer.keep(path, content) ?? '';
    const target = `${folder}/${path.slice(ASSETS.length)}`;
    return [{ node, path: target, content: file, ...modeOf(writer, asset, where) }];
  });
}

/** The files that an asset names: by a pattern, as a folder, or with the folder of assets before it. */
function assetFiles(source: Folder, named: string): string[] {
  const name = named.replace(/^\.?\//, '').replace(/(?<!\/)\/+$/, '');
  const paths = [...source.keys()].filter((path) => path.startsWith(ASSETS)).sort();
  const names = [name, ...(name.startsWith(ASSETS) ? [name.slice(ASSETS.length)] : [])];
  for (const one of names) {
    const matching = paths.filter((path) => matches(`${ASSETS}${one}`, path));
    const found = matching.length > 0 ? matching : paths.filter((path) => path.startsWith(`${ASSETS}${one}/`));
    if (found.length > 0) return found;
  }
  return [];
}

/** `*` stands for what is in one folder. */
function matches(pattern: string, path: string): boolean {
  const parts = pattern.split('*');
  let at = 0;
  for (const [i, part] of parts.entries()) {
    const found = i === 0 ? (path.startsWith(part) ? 0 : -1) : path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return parts.at(-1) === '' || at === path.length;
}

function modeOf(writer: LabWriter, { chmod }: Fields, where: string): object {
  const mode = textOf(chmod);
  if (mode === undefined) return {};
  if (/^0?[0-7]{3}$/.test(mode)) return { mode };
  if (/^[ugoa]*\+r?w?x$/.test(mode)) return { mode: '755' };
  if (!/^[ugoa]*\+r?w?$/.test(mode)) writer.note(`${where}.chmod: "${mode}" is not taken over`);
  return {};
}

const fieldsOf = (value: Fields, field: string): Fields => (isRecord(value[field]) ? value[field] : {});
