import { bytesOf, textOf, toArray } from '../../../../engine/kernel/bytes.js';
import { encodeBase64 } from '../../../../engine/machinery/text/base64.js';
import { GoObject } from '../../go-template/values.js';
import { formatYaml } from '../../kubectl/output/yaml.js';
import { matchesGlob } from '../../patterns/glob.js';
import type { ChartFile, PlainMap } from '../chart/chart.js';
import { lastName } from '../../names.js';
import { VERSION_INFO } from '../version.js';

/** What charts ask of the cluster; that of `helm template` is made up. */
export interface Capabilities {
  readonly version: string;
  readonly major: string;
  readonly minor: string;
  /** `apps/v1`, `apps/v1/Deployment`. */
  readonly apiVersions: readonly string[];
}

/** `.Files`. Models pkg/engine files. */
export function filesObject(files: readonly ChartFile[]): GoObject {
  const texts = Object.fromEntries(files.map(({ name, data }) => [name, textOf(data)]));
  const get = (name: unknown): string => (Object.hasOwn(texts, String(name)) ? texts[String(name)]! : '');
  const mapped = (of: (data: string) => string): string =>
    formatYaml(Object.fromEntries(files.map(({ name, data }) => [lastName(name), of(data)]))).replace(/\n$/, '');
  return new GoObject('engine.files', texts, {
    Get: ([name]) => get(name),
    GetBytes: ([name]) => get(name),
    Glob: ([pattern]) => filesObject(files.filter(({ name }) => fits(String(pattern), name))),
    AsConfig: () => (files.length === 0 ? '{}' : mapped(textOf)),
    AsSecrets: () => (files.length === 0 ? '{}' : mapped((data) => encodeBase64(toArray(data)))),
    Lines: ([name]) => {
      const text = get(name);
      return text === '' ? [] : text.replace(/\n$/, '').split('\n');
    },
  });
}

/** Models gobwas/glob with `/` for separator: `**` means folders too, `{a,b}` one of them. */
function fits(pattern: string, name: string): boolean {
  const alternatives = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(pattern);
  if (alternatives) {
    const [, before = '', choices = '', after = ''] = alternatives;
    return choices
      .split(',')
      .slice(0, 20)
      .some((choice) => fits(before + choice + after, name));
  }
  const [parts, names] = [pattern.split('/'), name.split('/')];
  const walk = (i: number, j: number): boolean => {
    if (i === parts.length) return j === names.length;
    if (parts[i] === '**')
      return (
        names.slice(j).some((_, k) => walk(i + 1, j + k + (i + 1 === parts.length ? 1 : 0))) || i + 1 === parts.length
      );
    return (
      j < names.length &&
      matchesGlob(bytesOf(parts[i]!.replaceAll('**', '*')), bytesOf(names[j]!)) &&
      walk(i + 1, j + 1)
    );
  };
  return parts.length <= 20 && (pattern === '**' || walk(0, 0));
}

export function capabilitiesObject({ version, major, minor, apiVersions }: Capabilities): GoObject {
  const kube = { Version: version, Major: major, Minor: minor };
  return new GoObject('*chartutil.Capabilities', {
    KubeVersion: new GoObject(
      'chartutil.KubeVersion',
      kube,
      { GitVersion: () => version, String: () => version },
      version,
    ),
    APIVersions: new GoObject(
      'chartutil.VersionSet',
      Object.fromEntries(apiVersions.map((one, i) => [String(i), one])),
      { Has: ([one]) => apiVersions.includes(String(one)) },
      `[${apiVersions.join(' ')}]`,
    ),
    HelmVersion: new GoObject('version.BuildInfo', VERSION_INFO),
  });
}

const CHART_FIELDS = ['name', 'home', 'sources', 'version', 'description', 'keywords', 'maintainers', 'icon'];
const MORE_FIELDS = [
  'condition',
  'tags',
  'appVersion',
  'deprecated',
  'annotations',
  'kubeVersion',
  'dependencies',
  'type',
];

/** `.Chart`: the fields of Chart.yaml, with capitals. */
export function chartObject(metadata: PlainMap, isRoot: boolean): GoObject {
  const fields = [...CHART_FIELDS, ...MORE_FIELDS].map((name) => {
    const value =
      metadata[name] ?? (name === 'deprecated' ? false : LISTS.includes(name) ? [] : name === 'annotations' ? {} : '');
    return [name[0]!.toUpperCase() + name.slice(1), typeof value === 'number' ? String(value) : value] as const;
  });
  return new GoObject('chart.Metadata', {
    ...Object.fromEntries(fields),
    APIVersion: metadata['apiVersion'] ?? '',
    IsRoot: isRoot,
  });
}

const LISTS = ['sources', 'keywords', 'maintainers', 'dependencies'];
