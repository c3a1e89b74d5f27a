import { textOf } from '../../../../engine/kernel/bytes.js';
import type { Plain } from '../../../../engine/kernel/process/program.js';
import { parseYaml } from '../../../../engine/schema/index.js';
import { isMap } from '../../go-template/values.js';
import { HelmFailure } from '../failure.js';
import { parseVersion } from './semver.js';

/** A file of a chart; its name is relative to the chart. */
export type ChartFile = { name: string; data: string };

export type PlainMap = { [field: string]: Plain };

export type Dependency = {
  name: string;
  version: string;
  repository: string;
  condition: string;
  tags: string[];
  alias: string;
};

/** A chart in memory. Models pkg/chart.Chart; `data` of its files are bytes. */
export type Chart = {
  /** Chart.yaml as it is written. */
  metadata: PlainMap;
  lock: Plain;
  templates: ChartFile[];
  values: PlainMap;
  /** values.schema.json; null without one. */
  schema: string | null;
  files: ChartFile[];
  /** Every file, as `helm show` prints it. */
  raw: ChartFile[];
  dependencies: Chart[];
};

export const nameOf = ({ metadata }: Chart): string => textField(metadata, 'name');
export const versionOf = ({ metadata }: Chart): string => textField(metadata, 'version');
export const appVersionOf = ({ metadata }: Chart): string => textField(metadata, 'appVersion');

export function textField(map: PlainMap, field: string): string {
  const value = Object.hasOwn(map, field) ? map[field] : undefined;
  return typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';
}

export function dependenciesOf({ metadata }: Chart): Dependency[] {
  const list = metadata['dependencies'];
  if (!Array.isArray(list)) return [];
  return list.flatMap((one) => {
    if (!isMap(one)) return [];
    const own = one as PlainMap;
    const tags = Array.isArray(own['tags']) ? own['tags'].filter((tag) => typeof tag === 'string') : [];
    const [name, version, repository] = [
      textField(own, 'name'),
      textField(own, 'version'),
      textField(own, 'repository'),
    ];
    return [
      { name, version, repository, tags, condition: textField(own, 'condition'), alias: textField(own, 'alias') },
    ];
  });
}

const MAX_NESTING = 10;

/** Puts a chart together from its files. Models pkg/chart/loader LoadFiles. Throws HelmFailure. */
export function assembleChart(
  files: readonly ChartFile[],
  unpack: (archive: ChartFile) => ChartFile[],
  depth = 0,
): Chart {
  const chart: Chart = {
    ...{ metadata: {}, lock: null, templates: [], values: {}, schema: null, files: [] },
    ...{ raw: [...files], dependencies: [] },
  };
  const own = files.find(({ name }) => name === 'Chart.yaml');
  if (!own) throw new HelmFailure('Chart.yaml file is missing');
  chart.metadata = readMap(own, 'Chart.yaml');
  chart.metadata['apiVersion'] ??= 'v1';
  const inner = new Map<string, ChartFile[]>();
  for (const file of files) {
    const { name } = file;
    if (name === 'Chart.yaml') continue;
    if (name === 'Chart.lock' || name === 'requirements.lock') chart.lock = readMap(file, name);
    else if (name === 'values.yaml') chart.values = readMap(file, name);
    else if (name === 'values.schema.json') chart.schema = textOf(file.data);
    else if (name === 'requirements.yaml') Object.assign(chart.metadata, readMap(file, name));
    else if (name.startsWith('templates/')) chart.templates.push(file);
    else if (name.startsWith('charts/') && !name.endsWith('.prov')) {
      const rest = name.slice('charts/'.length);
      const [folder = ''] = rest.split('/', 1);
      inner.set(folder, [...(inner.get(folder) ?? []), { ...file, name: rest }]);
    } else chart.files.push(file);
  }
  validate(chart);
  for (const [folder, list] of inner) {
    if (/^[_.]/.test(folder) || depth >= MAX_NESTING) continue;
    try {
      const content = folder.endsWith('.tgz') ? unpack(list[0]!) : below(list);
      chart.dependencies.push(assembleChart(content, unpack, depth + 1));
    } catch (error) {
      if (!(error instanceof HelmFailure)) throw error;
      throw new HelmFailure(`error unpacking subchart ${folder} in ${nameOf(chart)}: ${error.message}`);
    }
  }
  return chart;
}

const below = (files: readonly ChartFile[]): ChartFile[] =>
  files.flatMap(({ name, data }) => {
    const at = name.indexOf('/');
    return at < 0 ? [] : [{ name: name.slice(at + 1), data }];
  });

function readMap({ data }: ChartFile, name: string): PlainMap {
  const parsed = parseYaml(textOf(data));
  if (parsed.error !== undefined)
    throw new HelmFailure(`cannot load ${name}: error converting YAML to JSON: ${parsed.error}`);
  const value = parsed.value ?? {};
  if (!isMap(value))
    throw new HelmFailure(
      `cannot load ${name}: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type ${name === 'values.yaml' ? 'map[string]interface {}' : 'chart.Metadata'}`,
    );
  return value as PlainMap;
}

/** Models pkg/chart.Metadata's Validate. */
function validate(chart: Chart): void {
  const fail = (message: string): never => {
    throw new HelmFailure(`validation: ${message}`);
  };
  const { metadata } = chart;
  const name = nameOf(chart);
  if (name === '') fail('chart.metadata.name is required');
  if (name.includes('/')) fail(`chart.metadata.name ${JSON.stringify(name)} is invalid`);
  const version = versionOf(chart);
  if (version === '') fail('chart.metadata.version is required');
  if (!parseVersion(version)) fail(`chart.metadata.version ${JSON.stringify(version)} is invalid`);
  if (!['', 'application', 'library'].includes(textField(metadata, 'type')))
    fail('chart.metadata.type must be application or library');
}
