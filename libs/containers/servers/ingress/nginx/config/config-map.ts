import type { Reader, Start } from '@terrarium/engine';
import type { Ingress } from '../../../../../engine/api/networking_v1.js';
import { ConfigMaps } from '../../../../../engine/kinds/index.js';
import { flag } from '../../../../programs/task.js';

export type Config = Readonly<Record<string, string>>;

const PREFIX = 'nginx.ingress.kubernetes.io/';
/** Keys that an Ingress may say for itself, by an annotation of the same name. */
const KEYS = [
  ...['proxy-body-size', 'proxy-connect-timeout', 'proxy-read-timeout', 'proxy-next-upstream'],
  ...['proxy-next-upstream-tries', 'ssl-redirect', 'force-ssl-redirect', 'preserve-trailing-slash'],
  ...['whitelist-source-range', 'denylist-source-range', 'custom-http-errors'],
];
const HSTS_SECONDS = '31536000';

/** The data of --configmap, as it is now. Models internal/ingress/controller/config, its most usual part. */
export function configOf(read: Reader, start: Start): Config {
  const [namespace = '', name = ''] = flag(start, 'configmap').split('/');
  return (name === '' ? undefined : read.get(ConfigMaps, { namespace, name })?.data) ?? {};
}

/** Ingresses with what the ConfigMap says where they say nothing. */
export function withConfig(ingresses: Ingress[], config: Config): Ingress[] {
  const defaults = KEYS.flatMap((key) => (config[key] ? [[PREFIX + key, config[key]] as const] : []));
  if (defaults.length === 0) return ingresses;
  const given = Object.fromEntries(defaults);
  return ingresses.map((one) => ({
    ...one,
    metadata: { ...one.metadata, annotations: { ...given, ...one.metadata.annotations } },
  }));
}

/** The header with which browsers keep to TLS; undefined when `hsts` is off. */
export function hstsOf(config: Config): string | undefined {
  if (config['hsts'] === 'false') return undefined;
  const subdomains = config['hsts-include-subdomains'] === 'false' ? '' : '; includeSubDomains';
  const preload = config['hsts-preload'] === 'true' ? '; preload' : '';
  return `max-age=${config['hsts-max-age'] ?? HSTS_SECONDS}${subdomains}${preload}`;
}
