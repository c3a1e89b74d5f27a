import { joinHostPort } from '../../../engine/machinery/net/netip.js';
import { bytesOf, textOf, type Bytes } from '../../../engine/kernel/bytes.js';
import type { Program } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { encodeBase64 } from '../../../engine/machinery/text/base64.js';
import { readSmallFile } from '../../tools/accounts.js';
import { findMaster, makeThinConfig } from './config.js';
import { daemon, type Beginning } from './daemon.js';
import { copyFile, exists, makeDirectories } from './files.js';
import { readFlags, type Flags } from './flags.js';
import { writeWholeFile } from '../../tools/whole-file.js';

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** An end with a message: this program says it and ends with success. */
const failed = (message: string, out: readonly string[] = []): Beginning => ({ out, err: [message], code: 0 });

/**
 * Puts Multus and its configuration on a node, and stays. Models multus-cni's cmd/thin_entrypoint. Left out: following
 * the other network's file (--cleanup-config-on-exit), and renaming it.
 */
export const thin: Program = daemon((args, sys) => {
  const flags = readFlags(args);
  if (flags.error !== undefined) return { out: [], err: [flags.error], code: 2 };
  const net = flags.get('cni-conf-dir', '/host/etc/cni/net.d');
  const bin = flags.get('cni-bin-dir', '/host/opt/cni/bin');
  const binary = flags.get('multus-bin-file', '/usr/src/multus-cni/bin/multus');
  const missing = findMissing(sys, { 'cni-conf-dir': net, 'cni-bin-dir': bin, 'multus-bin-file': binary });
  if (missing !== undefined) return failed(missing);
  if (flags.get('skip-multus-binary-copy', 'false') !== 'true') copyFile(sys, binary, `${bin}/multus`);
  const file = flags.get('multus-conf-file', 'auto');
  if (file !== 'auto' && !exists(sys, file))
    return failed(`multus-conf-file is not found: stat ${file}: no such file or directory`);
  const out = [writeKubeconfig(sys, net)];
  if (file === 'auto') return writeConfig(sys, flags, net, [...out, 'kubeconfig file is created.']);
  copyFile(sys, file, `${net}/${file.slice(file.lastIndexOf('/') + 1)}`);
  return { out: [...out, `multus config file ${file} is copied.`], err: [] };
});

function findMissing(sys: Syscalls, paths: Readonly<Record<string, Bytes>>): string | undefined {
  const found = Object.entries(paths).find(([, path]) => !exists(sys, path));
  return found && `${found[0]} is not found: stat ${found[1]}: no such file or directory`;
}

function writeConfig(sys: Syscalls, flags: Flags, net: Bytes, out: readonly string[]): Beginning {
  const folder = flags.get('multus-autoconfig-dir', '/host/etc/cni/net.d');
  const named = flags.get('multus-master-cni-file-name', '');
  const master = named === '' ? findMaster(sys.readDirectory(folder).map(textOf)) : named;
  if (master === undefined)
    return failed(`failed to create multus config: cannot find valid master CNI config in "${folder}"`, out);
  const path = `${folder}/${master}`;
  if (!exists(sys, path))
    return failed(
      `failed to create multus config: file ${path} not found: stat ${path}: no such file or directory`,
      out,
    );
  const text = textOf(readSmallFile(sys, path));
  const made = makeThinConfig(path, text, {
    kubeconfig: flags.get('multus-kubeconfig-file-host', '/etc/cni/net.d/multus.d/multus.kubeconfig'),
    isIsolated: flags.get('namespace-isolation', 'false') === 'true',
    globalNamespaces: flags.get('global-namespaces', ''),
    logLevel: flags.get('multus-log-level', '').toLowerCase(),
    logFile: flags.get('multus-log-file', ''),
    cniVersion: flags.get('cni-version', ''),
  });
  if ('error' in made) return failed(`failed to create multus config: ${made.error}`, out);
  writeWholeFile(sys, `${net}/${made.file}`, bytesOf(made.text), { mode: 0o600 });
  const kind = text.includes('"plugins"') ? 'conflist' : 'conffile';
  return { out: [...out, `master capabilities is get from ${kind}`, 'multus config file is created.'], err: [] };
}

function writeKubeconfig(sys: Syscalls, net: Bytes): string {
  makeDirectories(sys, `${net}/multus.d`);
  const path = `${net}/multus.d/multus.kubeconfig`;
  const authority = encodeBase64(textOf(readSmallFile(sys, `${ACCOUNT}/ca.crt`)));
  const token = textOf(readSmallFile(sys, `${ACCOUNT}/token`));
  const host = sys.env['KUBERNETES_SERVICE_HOST'] ?? '';
  const text = [
    ...['# Kubeconfig file for Multus CNI plugin.', 'apiVersion: v1', 'kind: Config', 'clusters:', '- name: local'],
    '  cluster:',
    `    server: https://${joinHostPort(host, sys.env['KUBERNETES_SERVICE_PORT'] ?? '')}`,
    `    certificate-authority-data: ${authority}`,
    ...['users:', '- name: multus', '  user:', `    token: "${token}"`, 'contexts:', '- name: multus-context'],
    ...['  context:', '    cluster: local', '    user: multus', 'current-context: multus-context', ''],
  ].join('\n');
  writeWholeFile(sys, path, bytesOf(text), { mode: 0o600 });
  return `kubeconfig is created in ${path}`;
}
