type Fields = Readonly<Record<string, unknown>>;

const FILE = '00-multus.conf';

/** The configuration that Multus makes of that of another network; `error`: why it makes none. */
export type MadeConfig = { readonly file: string; readonly text: string } | { readonly error: string };

/** The first configuration of a folder that is not Multus' own. Models thin_entrypoint's getMasterConfigPath. */
export const findMaster = (names: readonly string[]): string | undefined =>
  [...names].sort().find((name) => /\.conf(?:list)?$/.test(name) && !name.startsWith(FILE));

/** Of '1.0.0' on a configuration is a list. */
const isListVersion = (version: string): boolean => Number(version.split('.')[0]) >= 1;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** Go's encoder sorts the names of a map. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return (value as unknown[]).map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]));
}

function capabilitiesOf(master: Fields): Fields {
  const list = Array.isArray(master['plugins']) ? (master['plugins'] as unknown[]).map(fieldsOf) : [master];
  return Object.assign({}, ...list.map((one) => fieldsOf(one['capabilities']))) as Fields;
}

export interface ThinSettings {
  readonly kubeconfig: string;
  readonly isIsolated: boolean;
  readonly globalNamespaces: string;
  readonly logLevel: string;
  readonly logFile: string;
  readonly cniVersion: string;
}

/** Models multus-cni's cmd/thin_entrypoint createMultusConfig. */
export function makeThinConfig(path: string, text: string, settings: ThinSettings): MadeConfig {
  const master = parse(text);
  if ('error' in master) return { error: `cannot read master CNI config json: ${String(master['error'])}` };
  const version = master['cniVersion'];
  if (typeof version !== 'string')
    return { error: `cannot get cniVersion in master CNI config file ${JSON.stringify(path)}: <nil>` };
  if (settings.cniVersion !== '' && settings.cniVersion !== version)
    return { error: `Multus cni version is "${settings.cniVersion}" while master plugin cni version is "${version}"` };
  const isList = isListVersion(version);
  const capabilities = sorted(capabilitiesOf(master));
  const inner = [
    '"type": "multus",',
    ...(JSON.stringify(capabilities) === '{}' ? [] : [`"capabilities": ${JSON.stringify(capabilities)},`]),
    ...(settings.isIsolated ? ['"namespaceIsolation": true,'] : []),
    ...(settings.globalNamespaces === '' ? [] : [`"globalNamespaces": "${settings.globalNamespaces}",`]),
    ...(settings.logLevel === '' ? [] : [`"logLevel": "${settings.logLevel}",`]),
    ...(settings.logFile === '' ? [] : [`"logFile": "${settings.logFile}",`]),
    '"cniConf": "/host/etc/cni/multus/net.d",',
    `"kubeconfig": "${settings.kubeconfig}",`,
    '"delegates": [',
  ];
  const head = [`"cniVersion": "${version}",`, '"name": "multus-cni-network",'];
  const pad = '        ';
  const json = JSON.stringify(sorted(master));
  if (!isList)
    return {
      file: FILE,
      text: `{\n${[...head, ...inner].map((line) => pad + line).join('\n')}\n${pad}${pad}${json}\n${pad}]\n}\n`,
    };
  const [type = '', ...rest] = inner;
  const lines = [...head.map((line) => `    ${line}`), '    "plugins": [ {', ...[type, ...rest].map((l) => pad + l)];
  return { file: `${FILE}list`, text: `{\n${lines.join('\n')}\n            ${json}\n${pad}]\n    }]\n}\n` };
}

/** Models pkg/server/config's Generate: what multus-shim is told, which asks its daemon. */
export function makeShimConfig(master: string, text: string, daemon: Fields): MadeConfig {
  const own = parse(text);
  if ('error' in own) return { error: `failed to load the primary CNI configuration: ${String(own['error'])}` };
  const version = String(daemon['cniVersion'] ?? '0.3.1');
  const config = {
    ...(typeof daemon['binDir'] === 'string' ? { binDir: daemon['binDir'] } : {}),
    capabilities: sorted(capabilitiesOf(own)),
    cniVersion: version,
    ...(typeof daemon['logLevel'] === 'string' ? { logLevel: daemon['logLevel'] } : {}),
    ...(daemon['logToStderr'] === true ? { logToStderr: true } : {}),
    name: 'multus-cni-network',
    clusterNetwork: master,
    ...(daemon['namespaceIsolation'] === true ? { namespaceIsolation: true } : {}),
    type: 'multus-shim',
  };
  return { file: FILE, text: JSON.stringify(config) };
}

function parse(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
