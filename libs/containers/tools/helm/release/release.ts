import { bytesOf, fromArray, textOf, toArray } from '../../../../engine/kernel/bytes.js';
import type { Plain } from '../../../../engine/kernel/process/program.js';
import { decodeBase64, decodeBase64Text, encodeBase64 } from '../../../../engine/machinery/text/base64.js';
import { unzip, zip } from '../../archive/gzip-format.js';
import { appVersionOf, type Chart, nameOf, type PlainMap, versionOf } from '../chart/chart.js';

export type Hook = {
  name: string;
  kind: string;
  path: string;
  manifest: string;
  events: string[];
  last_run: { started_at: string; completed_at: string; phase: string };
  weight: number;
  delete_policies: string[];
  output_log_policies: string[];
};

/** Models pkg/release.Release; its fields are those of its JSON. */
export type Release = {
  name: string;
  info: {
    first_deployed: string;
    last_deployed: string;
    deleted: string;
    description: string;
    status: string;
    notes: string;
  };
  /** Without what the record does not keep: the charts within. */
  chart: StoredChart;
  config: PlainMap;
  manifest: string;
  hooks: Hook[];
  version: number;
  namespace: string;
  /** Of the user's; they are kept as the record's own labels. */
  labels: Record<string, string>;
};

type StoredFile = { name: string; data: string };

export type StoredChart = {
  metadata: PlainMap;
  lock: Plain;
  templates: StoredFile[];
  values: PlainMap;
  schema: string | null;
  files: StoredFile[];
};

const store = (files: readonly StoredFile[]): StoredFile[] =>
  files.map(({ name, data }) => ({ name, data: encodeBase64(toArray(data)) }));
const load = (files: readonly StoredFile[] | null | undefined): StoredFile[] =>
  (files ?? []).map(({ name, data }) => ({ name, data: fromArray(decodeBase64(data)) }));

/** A chart as a release keeps it. */
export const storeChart = ({ metadata, lock, templates, values, schema, files }: Chart): StoredChart => ({
  ...{ metadata, lock, templates: store(templates), values },
  ...{ schema: schema === null ? null : encodeBase64(schema), files: store(files) },
});

export const loadChart = ({ metadata, lock, templates, values, schema, files }: StoredChart): Chart => ({
  ...{ metadata, lock, templates: load(templates), values: values ?? {} },
  ...{ schema: schema === null ? null : decodeBase64Text(schema), files: load(files), raw: [], dependencies: [] },
});

const SYSTEM_LABELS = ['name', 'owner', 'status', 'version', 'createdAt', 'modifiedAt'];

/** The record's name. */
export const secretName = (name: string, version: number): string => `sh.helm.release.v1.${name}.v${version}`;

/** The JSON as Go writes it: what is empty is left out. */
export function releaseJson(release: Release): PlainMap {
  const { name, info, chart, config, manifest, hooks, version, namespace } = release;
  return {
    name,
    info: {
      first_deployed: info.first_deployed,
      last_deployed: info.last_deployed,
      deleted: info.deleted,
      ...(info.description === '' ? {} : { description: info.description }),
      ...(info.status === '' ? {} : { status: info.status }),
      ...(info.notes === '' ? {} : { notes: info.notes }),
    },
    chart: chart as unknown as Plain,
    ...(Object.keys(config).length === 0 ? {} : { config }),
    ...(manifest === '' ? {} : { manifest }),
    ...(hooks.length === 0 ? {} : { hooks: hooks.map(hookJson) }),
    version,
    namespace,
  };
}

const hookJson = ({ weight, delete_policies, output_log_policies, ...rest }: Hook): PlainMap => ({
  ...rest,
  ...(weight === 0 ? {} : { weight }),
  ...(delete_policies.length === 0 ? {} : { delete_policies }),
  ...(output_log_policies.length === 0 ? {} : { output_log_policies }),
});

/** The data of a record: gzip in base64, which the Secret encodes once more. */
export function encodeRelease(release: Release): string {
  const text = JSON.stringify(releaseJson(release));
  const packed = zip(bytesOf(text), 9);
  return encodeBase64(encodeBase64(toArray(packed)));
}

/** Undefined: the record cannot be read. */
export function decodeRelease(data: string, labels: Readonly<Record<string, string>>): Release | undefined {
  try {
    const bytes = fromArray(decodeBase64(decodeBase64Text(data)));
    const text = unzip(bytes) ?? bytes;
    const found = JSON.parse(textOf(text)) as Partial<Release>;
    if (!found.info || found.name === undefined) return undefined;
    const own = Object.entries(labels).filter(([name]) => !SYSTEM_LABELS.includes(name));
    return {
      ...{ name: found.name, config: found.config ?? {}, manifest: found.manifest ?? '', version: found.version ?? 0 },
      info: { ...NO_INFO, ...found.info },
      chart: found.chart ?? { ...NO_CHART },
      hooks: (found.hooks ?? []).map((hook) => ({ ...NO_HOOK, ...hook })),
      namespace: found.namespace ?? '',
      labels: Object.fromEntries(own),
    };
  } catch {
    return undefined;
  }
}

const NO_INFO = { first_deployed: '', last_deployed: '', deleted: '', description: '', status: '', notes: '' };
const NO_CHART: StoredChart = { metadata: {}, lock: null, templates: [], values: {}, schema: null, files: [] };
const NO_HOOK: Hook = {
  ...{ name: '', kind: '', path: '', manifest: '', events: [], weight: 0, delete_policies: [] },
  ...{ output_log_policies: [], last_run: { started_at: '', completed_at: '', phase: '' } },
};

const asChart = (chart: StoredChart): Chart => ({ ...chart, raw: [], dependencies: [] });
/** `nginx-1.2.3`. */
export const chartTitle = ({ chart }: Release): string => `${nameOf(asChart(chart))}-${versionOf(asChart(chart))}`;
export const appVersion = ({ chart }: Release): string => appVersionOf(asChart(chart));
