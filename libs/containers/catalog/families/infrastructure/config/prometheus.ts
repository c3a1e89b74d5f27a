import { readGoYaml } from './go-yaml.js';

type Fields = Readonly<Record<string, unknown>>;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Fields of config.Config, GlobalConfig, ScrapeConfig and AlertingConfig. Models config.go of prometheus 3. */
const TOP = words(
  'global runtime alerting rule_files scrape_config_files scrape_configs storage tracing remote_write remote_read otlp',
);
const GLOBAL = words(
  'scrape_interval scrape_timeout scrape_protocols evaluation_interval rule_query_offset query_log_file ' +
    'scrape_failure_log_file external_labels body_size_limit sample_limit target_limit label_limit ' +
    'label_name_length_limit label_value_length_limit keep_dropped_targets metric_name_validation_scheme ' +
    'metric_name_escaping_scheme scrape_native_histograms convert_classic_histograms_to_nhcb ' +
    'always_scrape_classic_histograms extra_scrape_metrics',
);
const SCRAPE = words(
  'job_name honor_labels honor_timestamps track_timestamps_staleness params scrape_interval scrape_timeout ' +
    'scrape_protocols fallback_scrape_protocol scrape_classic_histograms always_scrape_classic_histograms ' +
    'convert_classic_histograms_to_nhcb scrape_native_histograms extra_scrape_metrics scrape_failure_log_file ' +
    'metrics_path scheme enable_compression body_size_limit sample_limit target_limit label_limit ' +
    'label_name_length_limit label_value_length_limit native_histogram_bucket_limit ' +
    'native_histogram_min_bucket_factor keep_dropped_targets metric_name_validation_scheme ' +
    'metric_name_escaping_scheme relabel_configs metric_relabel_configs basic_auth authorization oauth2 tls_config ' +
    'bearer_token bearer_token_file follow_redirects enable_http2 proxy_url no_proxy proxy_from_environment ' +
    'proxy_connect_header http_headers static_configs',
);
const DISCOVERY = /_sd_configs$/;
const ALERTING = words('alert_relabel_configs alertmanagers');
const DURATION = /^(?:(?:\d+y)?(?:\d+w)?(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?(?:\d+ms)?|0)$/;
const TIMES = ['scrape_interval', 'scrape_timeout', 'evaluation_interval'] as const;

const UNKNOWN = 'not found in type config.plain';

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** Why Prometheus does not take a configuration; undefined: it does, as far as is looked. */
export function findPrometheusFault(text: string): string | undefined {
  const read = readGoYaml(text);
  if ('error' in read) return read.error;
  const { value, lineOf } = read;
  if (value === null || value === undefined) return undefined;
  if (!isFields(value))
    return `yaml: unmarshal errors:\n  line 1: cannot unmarshal !!${Array.isArray(value) ? 'seq' : 'str'} into config.plain`;
  const unknown: { readonly line: number; readonly name: string }[] = [];
  const check = (fields: unknown, known: ReadonlySet<string>, path: readonly (string | number)[]): void => {
    if (!isFields(fields)) return;
    for (const name of Object.keys(fields))
      if (!known.has(name) && !(known === SCRAPE && DISCOVERY.test(name)))
        unknown.push({ line: lineOf([...path, name]), name });
  };
  const jobs = listOf(value['scrape_configs']);
  check(value['global'], GLOBAL, ['global']);
  check(value['alerting'], ALERTING, ['alerting']);
  jobs.forEach((job, i) => check(job, SCRAPE, ['scrape_configs', i]));
  check(value, TOP, []);
  const lines = unknown.sort((a, b) => a.line - b.line);
  if (lines.length > 0)
    return [
      'yaml: unmarshal errors:',
      ...lines.map(({ line, name }) => `  line ${line}: field ${name} ${UNKNOWN}`),
    ].join('\n');
  return findTimeFault([value['global'], ...jobs]) ?? findJobFault(jobs);
}

function findTimeFault(all: readonly unknown[]): string | undefined {
  for (const fields of all) {
    if (!isFields(fields)) continue;
    for (const name of TIMES) {
      const time = fields[name];
      if (time === undefined || time === null) continue;
      const written = typeof time === 'string' || typeof time === 'number' ? String(time) : '';
      if (written === '') return 'empty duration string';
      if (!DURATION.test(written)) return `not a valid duration string: ${JSON.stringify(written)}`;
    }
  }
  return undefined;
}

function findJobFault(jobs: readonly unknown[]): string | undefined {
  const seen = new Set<unknown>();
  for (const job of jobs) {
    if (job === null) return 'empty or null scrape config section';
    const name = isFields(job) ? (job['job_name'] ?? '') : '';
    if (name === '') return 'job_name is empty';
    if (seen.has(name)) return `found multiple scrape configs with job name ${JSON.stringify(name)}`;
    seen.add(name);
  }
  return undefined;
}
