import { bytesOf } from '../../../../../engine/kernel/bytes.js';
import { formatYaml } from '../../../kubectl/output/yaml.js';
import { assembleChart, type Chart } from '../../chart/chart.js';
import { helpersOf } from '../../scaffold/helpers.js';

/** A chart of a public repository, made here anew: the real one's names, values and objects, as far as courses go. */
export interface BundledChart {
  readonly name: string;
  readonly description: string;
  readonly home: string;
  readonly keywords?: readonly string[];
  /** Its versions and those of what it installs, the newest first. */
  readonly versions: readonly (readonly [version: string, appVersion: string])[];
  readonly values: string;
  /** Texts by their paths below templates/; the named templates of every chart are added. */
  readonly templates: Readonly<Record<string, string>>;
}

export interface BundledRepository {
  /** Without a slash at its end. */
  readonly url: string;
  /** By which its charts are known in an OCI registry; '' without one. */
  readonly oci: string;
  readonly charts: readonly BundledChart[];
}

/** One version of a chart as if it were unpacked. */
export function unpackBundled(
  { name, description, home, keywords, values, templates }: BundledChart,
  version: string,
  appVersion: string,
): Chart {
  const metadata = {
    ...{ apiVersion: 'v2', name, version, appVersion, description, home, type: 'application' },
    ...(keywords ? { keywords } : {}),
  };
  const texts = Object.entries({ '_helpers.tpl': helpersOf(name), ...templates });
  return assembleChart(
    [
      { name: 'Chart.yaml', data: bytesOf(formatYaml(metadata)) },
      { name: 'values.yaml', data: bytesOf(values) },
      ...texts.map(([path, text]) => ({ name: `templates/${path}`, data: bytesOf(text) })),
    ],
    () => [],
  );
}
