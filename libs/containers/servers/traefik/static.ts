import type { Start } from '@terrarium/engine';

/** A port where requests come in. */
export interface EntryPoint {
  readonly name: string;
  readonly port: number;
  readonly isTls: boolean;
  /** Where all requests of it are sent: the scheme, its port ('' for the scheme's own), and whether for ever. */
  readonly redirect?: { readonly scheme: string; readonly port: string; readonly isPermanent: boolean };
}

/** What a command line says. Models pkg/config/static. */
export interface Static {
  readonly entryPoints: readonly EntryPoint[];
  readonly hasApi: boolean;
  readonly isInsecure: boolean;
  readonly hasPing: boolean;
  readonly hasAccessLog: boolean;
  readonly providers: readonly ('kubernetes' | 'kubernetescrd')[];
  readonly ingressClass: string;
  readonly publishedService: string;
  readonly allowsEmpty: boolean;
  readonly allowsOtherNamespaces: boolean;
}

export const API_ENTRY = 'traefik';
const API_PORT = 8_080;
const MAX_ENTRIES = 20;

/** Names of flags do not care for case. */
export function staticOf({ argv }: Pick<Start, 'argv'>): Static {
  const flags = new Map<string, string>();
  for (const word of argv) {
    const [, name = '', value = 'true'] = /^--([^=]{1,200})(?:=(.{0,2000}))?$/s.exec(word) ?? [];
    if (name !== '') flags.set(name.toLowerCase(), value);
  }
  const isOn = (name: string): boolean => (flags.get(name) ?? 'false') === 'true';
  const has = (prefix: string): boolean =>
    [...flags.keys()].some((name) => name === prefix || name.startsWith(`${prefix}.`));
  const isInsecure = isOn('api.insecure');
  return {
    entryPoints: entriesOf(flags, isInsecure || has('ping')),
    hasApi: has('api') && flags.get('api') !== 'false',
    ...{ isInsecure, hasPing: has('ping'), hasAccessLog: has('accesslog') },
    providers: [
      ...(has('providers.kubernetesingress') ? (['kubernetes'] as const) : []),
      ...(has('providers.kubernetescrd') ? (['kubernetescrd'] as const) : []),
    ],
    ingressClass: flags.get('providers.kubernetesingress.ingressclass') ?? '',
    publishedService: flags.get('providers.kubernetesingress.ingressendpoint.publishedservice') ?? '',
    allowsEmpty:
      isOn('providers.kubernetescrd.allowemptyservices') || isOn('providers.kubernetesingress.allowemptyservices'),
    allowsOtherNamespaces: isOn('providers.kubernetescrd.allowcrossnamespace'),
  };
}

function entriesOf(flags: ReadonlyMap<string, string>, hasOwn: boolean): EntryPoint[] {
  const found: EntryPoint[] = [];
  for (const [flag, value] of flags) {
    const [, name, kind] = /^entrypoints\.([^.]+)\.address$/.exec(flag) ? [flag, flag.split('.')[1]!, value] : [];
    const [, port, protocol = 'tcp'] = /:(\d{1,5})(?:\/(\w+))?$/.exec(kind ?? '') ?? [];
    if (name === undefined || port === undefined || protocol !== 'tcp') continue;
    const of = (path: string): string | undefined => flags.get(`entrypoints.${name}.${path}`);
    found.push({
      name,
      port: Number(port),
      isTls: of('http.tls') === 'true' || /443$/.test(port),
      ...redirectOf(of, flags),
    });
  }
  const all = found.length > 0 ? found : [{ name: 'http', port: 80, isTls: false }];
  const hasApiEntry = all.some(({ name }) => name === API_ENTRY);
  return [...all, ...(hasOwn && !hasApiEntry ? [{ name: API_ENTRY, port: API_PORT, isTls: false }] : [])].slice(
    0,
    MAX_ENTRIES,
  );
}

/** Of http.redirections.entryPoint: to another entry point, or to a port. */
function redirectOf(
  of: (path: string) => string | undefined,
  flags: ReadonlyMap<string, string>,
): Pick<EntryPoint, 'redirect'> {
  const to = of('http.redirections.entrypoint.to');
  if (to === undefined) return {};
  const address = to.startsWith(':') ? to : (flags.get(`entrypoints.${to.toLowerCase()}.address`) ?? '');
  const port = /:(\d{1,5})/.exec(address)?.[1] ?? '';
  const scheme = of('http.redirections.entrypoint.scheme') ?? 'https';
  const isPermanent = of('http.redirections.entrypoint.permanent') !== 'false';
  return { redirect: { scheme, port: port === '443' ? '' : port, isPermanent } };
}
