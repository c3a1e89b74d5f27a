import type { Start } from '@terrarium/engine';
import { utc, type Server } from '../../../../programs/server.js';
import { readGoYaml } from './go-yaml.js';
import { fileOfFlag, mountedText } from './mounted.js';
import { findPrometheusFault } from './prometheus.js';

/** How a program takes its configuration file. */
interface ConfigFile {
  readonly flag: string;
  /** Where its image has one. */
  readonly own: string;
  readonly code: number;
  /** Why a text is not taken. */
  find(text: string): string | undefined;
  lines(fault: string, path: string, start: Start): readonly string[];
}

const missing = (path: string): string => `open ${path}: no such file or directory`;

/**
 * A program that ends when its configuration file is broken. Which file it was is known at its start, so that what was
 * found is kept with the run.
 */
function endsBy({ flag, own, code, find, lines }: ConfigFile): Pick<Server, 'keeps' | 'fails'> {
  const pathOf = (start: Start): string => fileOfFlag(start, flag) ?? own;
  return {
    keeps(start) {
      const path = pathOf(start);
      const text = mountedText(start, path, own);
      if (text === undefined) return undefined;
      return text === null ? missing(path) : find(text);
    },
    fails: (start) => (start.kept === undefined ? undefined : { code, lines: lines(start.kept, pathOf(start), start) }),
  };
}

const findSyntaxFault = (text: string): string | undefined => {
  const read = readGoYaml(text);
  return 'error' in read ? read.error : undefined;
};

const parsing = (fault: string, path: string): string =>
  fault.startsWith('open ') ? fault : `parsing YAML file ${path}: ${fault}`;

/** Before the third version lines were those of go-kit's logger. */
const isOld = ({ container }: Start): boolean => /:v?[12]\./.test(container.image ?? '');

/** Models prometheus/cmd/prometheus/main.go. */
export const prometheusConfig = endsBy({
  flag: 'config.file',
  own: '/etc/prometheus/prometheus.yml',
  code: 2,
  find: findPrometheusFault,
  lines(fault, path, start) {
    const message = `msg="Error loading config (--config.file=${path})" file=${path} err=${JSON.stringify(parsing(fault, path))}`;
    const { iso } = utc(start.at);
    return [
      isOld(start)
        ? `ts=${iso} caller=main.go:537 level=error ${message}`
        : `time=${iso} level=ERROR source=main.go:627 ${message}`,
    ];
  },
});

/** Models alertmanager/cmd/alertmanager/main.go and its coordinator. */
export const alertmanagerConfig = endsBy({
  flag: 'config.file',
  own: '/etc/alertmanager/alertmanager.yml',
  code: 1,
  find: findSyntaxFault,
  lines: (fault, path, { at }) => [
    `time=${utc(at).iso} level=INFO source=coordinator.go:112 msg="Loading configuration file" component=configuration file=${path}`,
    `time=${utc(at).iso} level=ERROR source=coordinator.go:117 msg="Loading configuration file failed" component=configuration file=${path} err=${JSON.stringify(fault)}`,
  ],
});

/** Models loki/cmd/loki/main.go. */
export const lokiConfig = endsBy({
  flag: 'config.file',
  own: '/etc/loki/local-config.yaml',
  code: 1,
  find: findSyntaxFault,
  lines: (fault, path) => [`failed parsing config: ${fault.startsWith('open ') ? fault : `${path}: ${fault}`}`],
});

const PROVISIONED = /^\/etc\/grafana\/provisioning\/datasources\/([^/]+\.ya?ml)$/;

/** Grafana reads each file of its data sources. Models pkg/services/provisioning/datasources/config_reader.go. */
export const grafanaConfig: Pick<Server, 'keeps' | 'fails'> = {
  keeps(start) {
    for (const [path, text] of Object.entries(start.files())) {
      const name = PROVISIONED.exec(path)?.[1];
      const fault = name === undefined ? undefined : findSyntaxFault(text);
      if (fault !== undefined) return `could not parse provisioning config file: ${name} error: ${fault}`;
    }
    return undefined;
  },
  fails({ kept, at }) {
    if (kept === undefined) return undefined;
    const why = `Datasource provisioning error: ${kept}`;
    const head = `logger=provisioning t=${utc(at).iso} level=error`;
    return {
      code: 1,
      lines: [`${head} msg="Failed to provision data sources" error=${JSON.stringify(why)}`, `Error: ✗ ${why}`],
    };
  },
};

/** Elasticsearch's first file of settings. Models org.elasticsearch.common.settings.Settings. */
export const elasticsearchConfig: Pick<Server, 'keeps' | 'fails'> = {
  keeps(start) {
    const own = '/usr/share/elasticsearch/config/elasticsearch.yml';
    const text = mountedText(start, own, own);
    return typeof text === 'string' ? findSyntaxFault(text) : undefined;
  },
  fails({ kept }) {
    const line = /line (\d+)/.exec(kept ?? '')?.[1] ?? '1';
    if (kept === undefined) return undefined;
    return {
      code: 1,
      lines: [
        `Exception in thread "main" SettingsException[Failed to load settings from [elasticsearch.yml]]; nested: MarkedYAMLException[${kept.replace(/^yaml: (?:line \d+: )?/, '')}`,
        ` in 'reader', line ${line}, column 1]`,
      ],
    };
  },
};
