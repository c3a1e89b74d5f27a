import type { Reader } from '@terrarium/engine';
import { ConfigMaps } from '../../../../engine/kinds/index.js';

/** What of the chart's values the templates look at. */
interface Values {
  readonly global?: {
    readonly hub?: string;
    readonly tag?: string | number;
    readonly variant?: string;
    readonly imagePullPolicy?: string;
    readonly proxy?: {
      readonly image?: string;
      readonly logLevel?: string;
      readonly componentLogLevel?: string;
      readonly clusterDomain?: string;
      readonly includeIPRanges?: string;
      readonly excludeIPRanges?: string;
      readonly includeInboundPorts?: string;
      readonly excludeInboundPorts?: string;
      readonly excludeOutboundPorts?: string;
      readonly resources?: object;
      readonly startupProbe?: { readonly failureThreshold?: number };
    };
    readonly proxy_init?: { readonly image?: string };
  };
}

/** What is injected, in a few words. */
export interface InjectorConfig {
  readonly proxyImage: string;
  readonly initImage: string;
  readonly pullPolicy: string | undefined;
  readonly logLevel: string;
  readonly componentLogLevel: string;
  readonly includeRanges: string;
  readonly excludeRanges: string;
  readonly includeInbound: string;
  readonly excludeInbound: string;
  readonly excludeOutbound: string;
  readonly resources: object;
  readonly startupFailures: number;
}

const RESOURCES = { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '100m', memory: '128Mi' } };

/**
 * Of the ConfigMap `istio-sidecar-injector`, by its values. Its templates, which are Go's, are not run: what they make
 * of the values is known. Undefined: there is none, and nothing can be injected.
 */
export function injectorConfig(
  read: Reader,
  namespace: string,
  revision: string,
  own: { readonly image: string },
): InjectorConfig | undefined {
  const name = revision === 'default' ? 'istio-sidecar-injector' : `istio-sidecar-injector-${revision}`;
  const found = read.get(ConfigMaps, { namespace, name });
  if (!found) return undefined;
  const { global = {} } = parseValues(found.data?.['values'] ?? '');
  const { proxy = {}, proxy_init: init = {} } = global;
  const [hub, tag] = imageParts(own.image);
  const image = (text: string): string =>
    text.includes('/')
      ? text
      : `${global.hub ?? hub}/${text}:${global.tag ?? tag}${global.variant ? `-${global.variant}` : ''}`;
  return {
    proxyImage: image(proxy.image ?? 'proxyv2'),
    initImage: image(init.image ?? proxy.image ?? 'proxyv2'),
    pullPolicy: global.imagePullPolicy || undefined,
    logLevel: proxy.logLevel ?? 'warning',
    componentLogLevel: proxy.componentLogLevel ?? 'misc:error',
    includeRanges: proxy.includeIPRanges ?? '*',
    excludeRanges: proxy.excludeIPRanges ?? '',
    includeInbound: proxy.includeInboundPorts ?? '*',
    excludeInbound: proxy.excludeInboundPorts ?? '',
    excludeOutbound: proxy.excludeOutboundPorts ?? '',
    resources: proxy.resources ?? RESOURCES,
    startupFailures: proxy.startupProbe?.failureThreshold ?? 600,
  };
}

function imageParts(image: string): readonly [hub: string, tag: string] {
  const colon = image.lastIndexOf(':');
  const name = image.slice(0, colon);
  return [name.slice(0, name.lastIndexOf('/')), image.slice(colon + 1)];
}

function parseValues(text: string): Values {
  try {
    return (JSON.parse(text) as Values | null) ?? {};
  } catch {
    return {};
  }
}
