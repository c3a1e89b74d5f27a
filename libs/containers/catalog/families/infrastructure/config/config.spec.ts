import { expect, test } from '@jest/globals';
import type { Start } from '@terrarium/engine';
import { elasticsearchConfig, grafanaConfig, lokiConfig, prometheusConfig } from './index.js';
import { readGoYaml } from './go-yaml.js';
import { fileOfFlag, mountedText } from './mounted.js';
import { findPrometheusFault } from './prometheus.js';

test.each([
  ['x: 1\na: b: c', 'yaml: line 2: mapping values are not allowed in this context'],
  ['a:\n\tb: 1', 'yaml: line 2: found character that cannot start any token'],
])('go-yaml says of %j: %s', (text, expected) => {
  expect(readGoYaml(text)).toEqual({ error: expected });
});

const JOB = 'scrape_configs:\n- job_name: a\n  static_configs:\n  - targets: [x:9090]\n';

test.each([
  ['an empty one', '', undefined],
  ['a right one', `global: {scrape_interval: 15s}\n${JOB}  kubernetes_sd_configs: [{role: pod}]\n`, undefined],
  [
    'a typo',
    `scrape_config:\n${JOB}`,
    'yaml: unmarshal errors:\n  line 1: field scrape_config not found in type config.plain',
  ],
  [
    'two typos, in the order of lines',
    `global:\n  scrape_intervall: 1m\n${JOB}  metric_path: /m\n`,
    'yaml: unmarshal errors:\n  line 2: field scrape_intervall not found in type config.plain\n' +
      '  line 7: field metric_path not found in type config.plain',
  ],
  ['a number for a time', 'global:\n  scrape_interval: 15\n', 'not a valid duration string: "15"'],
  ['a job without a name', 'scrape_configs:\n- static_configs: []\n', 'job_name is empty'],
  ['a job twice', `${JOB}- job_name: a\n`, 'found multiple scrape configs with job name "a"'],
  ['a list', '- a\n', 'yaml: unmarshal errors:\n  line 1: cannot unmarshal !!seq into config.plain'],
])('Prometheus says of %s what it says', (_what, text, expected) => expect(findPrometheusFault(text)).toBe(expected));

const startOf = (files: Record<string, string>, mountPaths: readonly string[], argv: readonly string[] = []): Start =>
  ({
    ...{ argv, at: 0, files: () => files },
    container: {
      name: 'c',
      image: 'x:v3.5.0',
      volumeMounts: mountPaths.map((mountPath) => ({ name: 'v', mountPath })),
    },
  }) as unknown as Start;
const OWN = '/etc/prometheus/prometheus.yml';

test.each<[string, Start, string, string | null | undefined]>([
  ["its image's own", startOf({}, []), OWN, undefined],
  ['a mounted one', startOf({ [OWN]: 'a' }, ['/etc/prometheus']), OWN, 'a'],
  ['none beside a mounted one', startOf({ '/etc/prometheus/x': 'a' }, ['/etc/prometheus/']), OWN, null],
  ['what a claim has', startOf({}, ['/etc/prometheus']), OWN, undefined],
  ['a path of nowhere', startOf({}, []), '/etc/config/a.yml', null],
])('a configuration file: %s', (_what, start, path, expected) => expect(mountedText(start, path, OWN)).toBe(expected));

test('the last of several flags counts', () => {
  expect(fileOfFlag({ argv: ['p', '--config.file=/a', '-config.file', '/b'] }, 'config.file')).toBe('/b');
  expect(fileOfFlag({ argv: ['p', 'config.file=/a'] }, 'config.file')).toBeUndefined();
});

const linesOf = (server: typeof prometheusConfig, files: Record<string, string>, folder: string): readonly string[] => {
  const start = startOf(files, [folder]);
  const kept = server.keeps!(start);
  return server.fails!({ ...start, ...(kept === undefined ? {} : { kept }) })?.lines ?? [];
};

test.each([
  [prometheusConfig, OWN, 'a: b: c', 'err="parsing YAML file /etc/prometheus/prometheus.yml: yaml: mapping values'],
  [
    lokiConfig,
    '/etc/loki/local-config.yaml',
    'a: b: c',
    'failed parsing config: /etc/loki/local-config.yaml: yaml: mapping values',
  ],
  [
    grafanaConfig,
    '/etc/grafana/provisioning/datasources/ds.yaml',
    'a: [',
    'Error: ✗ Datasource provisioning error: could not parse provisioning config file: ds.yaml error: yaml: line 1',
  ],
  [
    elasticsearchConfig,
    '/usr/share/elasticsearch/config/elasticsearch.yml',
    'a: b: c',
    'Failed to load settings from [elasticsearch.yml]',
  ],
])('a program ends in its words: %#', (server, path, text, expected) => {
  const folder = path.slice(0, path.lastIndexOf('/'));
  expect(linesOf(server, { [path]: text }, folder).join('\n')).toContain(expected);
  expect(linesOf(server, { [path]: '' }, folder)).toEqual([]);
});
