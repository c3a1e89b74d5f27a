import { bytesOf, textOf, type Bytes } from '../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { encodeBase64 } from '../../../engine/machinery/text/base64.js';
import { readSmallFile } from '../../tools/accounts.js';
import { copyDescriptor } from '../../tools/coreutils/files/content.js';
import { defineTool, type ToolContext } from '../../tools/framework/tool.js';
import { logLine } from './lines.js';
import { writeWholeFile } from '../../tools/whole-file.js';

const BINARIES = '/opt/cni/bin';
const HOST_BINARIES = '/host/opt/cni/bin';
const HOST_NET_D = '/host/etc/cni/net.d';
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
/** Where plug-ins find what the installer has written, unless CNI_NET_DIR says otherwise. */
const NET_D = '/etc/cni/net.d';
const FILE = '10-calico.conflist';
/** Plug-ins that are copied. */
const MAX_BINARIES = 32;

/**
 * Puts Calico's plug-ins and the network's configuration on its node. Models projectcalico/calico's
 * cni-plugin/pkg/install/install.go. Left out: certificates of etcd, and going on to watch them (SLEEP=true).
 */
export const install = defineTool((tool) => {
  const { sys } = tool;
  const say = (message: string, level = 'INFO'): void =>
    tool.err(bytesOf(`${logLine(sys.now, 1, level, 'cni-installer/<nil> <nil>', message)}\n`));
  const isPod = exists(sys, `${ACCOUNT}/token`);
  if (isPod) say('Running as a Kubernetes pod');
  if (!exists(sys, HOST_BINARIES)) {
    say(`${HOST_BINARIES} is not writeable, skipping`);
    say('/host/secondary-bin-dir is not writeable, skipping');
    say('found no writeable directory, exiting', 'FATAL');
    return 1;
  }
  for (const name of [...sys.readDirectory(BINARIES)].sort().slice(0, MAX_BINARIES)) {
    copy(sys, `${BINARIES}/${name}`, `${HOST_BINARIES}/${name}`);
    say(`Installed ${HOST_BINARIES}/${textOf(name)}`);
  }
  say(`Wrote Calico CNI binaries to ${HOST_BINARIES}\n`);
  say(`CNI plugin version: ${sys.env['CALICO_VERSION'] ?? 'v3.31.0'}\n`);
  if (isPod) writeWholeFile(sys, `${HOST_NET_D}/calico-kubeconfig`, bytesOf(kubeconfig(sys)), { mode: 0o600 });
  const failure = writeConfig(tool, say);
  if (failure !== undefined) {
    say(failure, 'FATAL');
    return 1;
  }
  say('Done configuring CNI.  Sleep= false');
  return 0;
});

function writeConfig({ sys, out }: ToolContext, say: (message: string) => void): string | undefined {
  const template = templateOf(sys, say);
  if (template === undefined) return 'need CNI_NETWORK_CONFIG or CNI_NETWORK_CONFIG_FILE to be set';
  const text = replaceVariables(sys, template);
  const error = jsonError(text);
  if (error !== undefined) return `${text} is not a valid json object\nerror: ${error}`;
  const name = sys.env['CNI_CONF_NAME'] ?? FILE;
  writeWholeFile(sys, `${HOST_NET_D}/${name}`, bytesOf(text));
  say(`Created ${HOST_NET_D}/${name}`);
  out(bytesOf(`${text}\n`));
  const old = sys.env['CNI_OLD_CONF_NAME'] ?? FILE;
  if (old !== name && exists(sys, `${HOST_NET_D}/${old}`)) {
    say(`Removing ${HOST_NET_D}/${old}`);
    sys.unlink(`${HOST_NET_D}/${old}`);
  }
  return undefined;
}

function templateOf(sys: Syscalls, say: (message: string) => void): string | undefined {
  const { env } = sys;
  const file = env['CNI_NETWORK_CONFIG_FILE'] ?? '';
  if (file !== '') {
    say('Using CNI config template from CNI_NETWORK_CONFIG_FILE');
    return textOf(readSmallFile(sys, file));
  }
  const text = env['CNI_NETWORK_CONFIG'] ?? '';
  if (text === '') return undefined;
  say('Using CNI config template from CNI_NETWORK_CONFIG environment variable.');
  return textOf(text);
}

function replaceVariables(sys: Syscalls, template: string): string {
  const env = (name: string, otherwise: string): string => textOf(sys.env[name] ?? otherwise);
  const values: Readonly<Record<string, string>> = {
    LOG_LEVEL: env('LOG_LEVEL', 'info'),
    LOG_FILE_PATH: env('LOG_FILE_PATH', '/var/log/calico/cni/cni.log'),
    LOG_FILE_MAX_SIZE: env('LOG_FILE_MAX_SIZE', '100'),
    LOG_FILE_MAX_AGE: env('LOG_FILE_MAX_AGE', '30'),
    LOG_FILE_MAX_COUNT: env('LOG_FILE_MAX_COUNT', '10'),
    DATASTORE_TYPE: env('DATASTORE_TYPE', 'kubernetes'),
    KUBERNETES_NODE_NAME: env('KUBERNETES_NODE_NAME', textOf(sys.hostname)),
    KUBECONFIG_FILEPATH: `${env('CNI_NET_DIR', NET_D)}/calico-kubeconfig`,
    CNI_MTU: env('CNI_MTU', '1500'),
    KUBERNETES_SERVICE_HOST: env('KUBERNETES_SERVICE_HOST', ''),
    KUBERNETES_SERVICE_PORT: env('KUBERNETES_SERVICE_PORT', ''),
  };
  return template.replace(/__([A-Z_]+?)__/g, (all, name: string) => values[name] ?? all);
}

function jsonError(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function kubeconfig(sys: Syscalls): string {
  const token = textOf(readSmallFile(sys, `${ACCOUNT}/token`));
  const authority = encodeBase64(textOf(readSmallFile(sys, `${ACCOUNT}/ca.crt`)));
  const { env } = sys;
  return [
    ...['# Kubeconfig file for Calico CNI plugin.', 'apiVersion: v1', 'kind: Config', 'clusters:', '- name: local'],
    '  cluster:',
    `    server: https://[${env['KUBERNETES_SERVICE_HOST'] ?? ''}]:${env['KUBERNETES_SERVICE_PORT'] ?? ''}`,
    `    certificate-authority-data: ${authority}`,
    ...['users:', '- name: calico', '  user:', `    token: ${token}`],
    ...['contexts:', '- name: calico-context', '  context:', '    cluster: local', '    user: calico'],
    'current-context: calico-context',
  ].join('\n');
}

function exists(sys: Syscalls, path: Bytes): boolean {
  return sys.access(path, '');
}

function copy(sys: Syscalls, from: Bytes, to: Bytes): void {
  const source = sys.open(from, { read: true });
  const target = sys.open(to, { write: true, create: true, truncate: true }, sys.stat(from).mode & 0o777);
  copyDescriptor(sys, source, target);
  sys.close(target);
  sys.close(source);
}
