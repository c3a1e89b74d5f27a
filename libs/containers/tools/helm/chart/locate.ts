import { SystemError } from '../../../../engine/kernel/errno.js';
import { type Bytes, textOf } from '../../../../engine/kernel/bytes.js';
import { reasonOf } from '../../../../engine/node/cni/http-bytes.js';
import { parseYaml } from '../../../../engine/schema/index.js';
import { isMap } from '../../go-template/values.js';
import { lastName } from '../../names.js';
import { readSmallFile } from '../../accounts.js';
import type { Session } from '../../kubectl/session/session.js';
import { HelmFailure } from '../failure.js';
import { findInRepository, findOci, unreachable } from '../repositories/repositories.js';
import { assembleChart, type Chart, dependenciesOf, nameOf, textField } from './chart.js';
import { loadChartAt, readArchive } from './load.js';
import { pathExists } from '../../sessions/copy-files.js';
import { readTyped, setJson, setValues } from './set.js';
import { mergeMaps, putField, type Values } from './values.js';

/** The chart that an argument names: a folder, an archive, or one of a repository. Throws HelmFailure. */
export function locateChart(session: Session, given: string): Chart {
  const name = given.trim();
  const { sys, flags } = session;
  if (pathExists(sys, name)) return loadChartAt(sys, sys.realPath(name));
  if (/^[/.]/.test(name)) throw new HelmFailure(`path ${JSON.stringify(name)} not found`);
  const version = flags.value('version').trim();
  if (name.startsWith('oci://')) return findOci(session, name, version);
  if (/^https?:\/\//.test(name))
    return assembleChart(readArchive(fetchBytes(session, name), name), (inner) => readArchive(inner.data, inner.name));
  const repo = flags.value('repo');
  return findInRepository(session, name, version, repo);
}

/** Values of -f, --set and the others, in helm's order. Models pkg/cli/values MergeValues. Throws HelmFailure. */
export function collectValues(session: Session): Values {
  const { flags } = session;
  let values: Values = {};
  for (const path of flags.list('values')) values = mergeMaps(values, readValues(session, path));
  const attempt = (flag: string, text: string, run: () => void): void => {
    try {
      run();
    } catch (error) {
      if (!(error instanceof HelmFailure)) throw error;
      throw new HelmFailure(`failed parsing --${flag} data${flag === 'set-json' ? ` ${text}` : ''}: ${error.message}`);
    }
  };
  for (const text of flags.all('set-json')) attempt('set-json', text, () => (values = setJson(text, values)));
  for (const text of flags.all('set')) attempt('set', text, () => setValues(text, values, readTyped));
  for (const text of flags.all('set-string')) attempt('set-string', text, () => setValues(text, values, (one) => one));
  for (const text of flags.all('set-file'))
    attempt('set-file', text, () => setValues(text, values, (path) => readText(session, path)));
  for (const text of flags.all('set-literal')) {
    const at = text.indexOf('=');
    if (at < 0) throw new HelmFailure(`failed parsing --set-literal data: key ${JSON.stringify(text)} has no value`);
    setValues(`${text.slice(0, at)}=x`, values, () => text.slice(at + 1));
  }
  return values;
}

/** A file of the web. Models pkg/getter HTTPGetter. Throws HelmFailure. */
function fetchBytes(session: Session, url: string): Bytes {
  const { status, bytes } = session.fetchUrl(url);
  if (status === 200) return bytes;
  throw status === 0
    ? unreachable(session, url)
    : new HelmFailure(`failed to fetch ${url} : ${status} ${reasonOf(status)}`);
}

function readText(session: Session, path: string): string {
  const { sys } = session;
  if (path === '-') return session.stdin();
  if (/^https?:\/\//.test(path)) return textOf(fetchBytes(session, path));
  try {
    sys.close(sys.open(path, { read: true }));
    return textOf(readSmallFile(sys, path));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new HelmFailure(`open ${path}: ${error.message.toLowerCase()}`);
  }
}

function readValues(session: Session, path: string): Values {
  const { value, error } = parseYaml(readText(session, path));
  if (error !== undefined) throw new HelmFailure(`failed to parse ${path}: error converting YAML to JSON: ${error}`);
  if (value === null || value === undefined) return {};
  if (!isMap(value))
    throw new HelmFailure(
      `failed to parse ${path}: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type map[string]interface {}`,
    );
  return value;
}

/** Models CheckDependencies and checkIfInstallable. Throws HelmFailure. */
export function checkInstallable(chart: Chart): void {
  const type = textField(chart.metadata, 'type');
  if (type !== '' && type !== 'application') throw new HelmFailure(`${type} charts are not installable`);
  checkDependencies(chart);
}

export function checkDependencies(chart: Chart): void {
  const missing = dependenciesOf(chart)
    .map(({ name }) => name)
    .filter((name) => !chart.dependencies.some((one) => nameOf(one) === name));
  if (missing.length > 0)
    throw new HelmFailure(
      `An error occurred while checking for chart dependencies. You may need to run \`helm dependency build\` to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: ${missing.join(', ')}`,
    );
}

/** The release's name and the chart, from the arguments. Models NameAndChart. Throws HelmFailure. */
export function nameAndChart(session: Session, clock: number, byDefault = ''): { name: string; chart: string } {
  const { args, flags } = session;
  if (args.length > 2)
    throw new HelmFailure(`expected at most two arguments, unexpected arguments: ${args.slice(2).join(', ')}`);
  if (args.length === 2) {
    if (flags.isOn('generate-name')) throw new HelmFailure('cannot set --generate-name and also specify a name');
    if (flags.value('name-template') !== '')
      throw new HelmFailure('cannot set --name-template and also specify a name');
    return { name: args[0]!, chart: args[1]! };
  }
  const chart = args[0]!;
  if (flags.value('name-template') !== '') throw new HelmFailure('--name-template is not simulated');
  if (byDefault !== '') return { name: byDefault, chart };
  if (!flags.isOn('generate-name')) throw new HelmFailure('must either provide a name or specify --generate-name');
  const base = (lastName(chart) || '.') === '.' ? 'chart' : lastName(chart).split('.', 1)[0]!;
  return { name: `${base}-${Math.floor(clock / 1_000)}`, chart };
}

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const MAX_NAME = 53;

/** Models chartutil.ValidateReleaseName; undefined: it is one. */
export function nameFault(name: string): string | undefined {
  if (name === '') return 'no name provided';
  if (name.length > MAX_NAME || !NAME.test(name))
    return `invalid release name, must match regex ${NAME.source} and the length must not be longer than 53`;
  return undefined;
}

/** `--labels a=b,c=d`. */
export function labelsOf({ flags }: Session): Record<string, string> {
  const labels: Values = {};
  for (const pair of flags.list('labels')) {
    const at = pair.indexOf('=');
    if (at < 0)
      throw new HelmFailure(
        `invalid argument ${JSON.stringify(pair)} for "-l, --labels" flag: ${pair} must be formatted as key=value`,
      );
    putField(labels, pair.slice(0, at), pair.slice(at + 1));
  }
  return labels as Record<string, string>;
}
