import type { Bytes } from '../bytes.js';
import { SystemError } from '../errno.js';
import type { Entry } from '../files/computed.js';
import type { State } from '../state.js';
import { kernelOf } from './kernels.js';
import { KERNEL_RELEASE, KERNEL_VERSION } from './kernel-facts.js';

/** Kernel parameters with the values of a fresh node. */
const DEFAULTS: Readonly<Record<string, string>> = {
  'fs.file-max': '9223372036854775807',
  'fs.inotify.max_user_instances': '128',
  'fs.inotify.max_user_watches': '65536',
  'fs.nr_open': '1048576',
  'fs.protected_hardlinks': '1',
  'fs.protected_symlinks': '1',
  'kernel.dmesg_restrict': '1',
  'kernel.hostname': '',
  'kernel.msgmax': '8192',
  'kernel.msgmnb': '16384',
  'kernel.msgmni': '32000',
  'kernel.osrelease': KERNEL_RELEASE,
  'kernel.ostype': 'Linux',
  'kernel.pid_max': '4194304',
  'kernel.sem': '32000\t1024000000\t500\t32000',
  'kernel.shm_rmid_forced': '0',
  'kernel.shmall': '18446744073692774399',
  'kernel.shmmax': '18446744073692774399',
  'kernel.shmmni': '4096',
  'kernel.threads-max': '62382',
  'kernel.version': KERNEL_VERSION,
  'net.bridge.bridge-nf-call-ip6tables': '1',
  'net.bridge.bridge-nf-call-iptables': '1',
  'net.core.somaxconn': '4096',
  'net.ipv4.conf.all.forwarding': '1',
  'net.ipv4.conf.all.rp_filter': '0',
  'net.ipv4.conf.default.rp_filter': '0',
  'net.ipv4.ip_forward': '1',
  'net.ipv4.ip_local_port_range': '32768\t60999',
  'net.ipv4.ip_local_reserved_ports': '',
  'net.ipv4.ip_unprivileged_port_start': '0',
  'net.ipv4.ping_group_range': '0\t2147483647',
  'net.ipv4.tcp_fin_timeout': '60',
  'net.ipv4.tcp_keepalive_intvl': '75',
  'net.ipv4.tcp_keepalive_probes': '9',
  'net.ipv4.tcp_keepalive_time': '7200',
  'net.ipv4.tcp_rmem': '4096\t131072\t6291456',
  'net.ipv4.tcp_syncookies': '1',
  'net.ipv4.tcp_wmem': '4096\t16384\t4194304',
  'net.ipv6.conf.all.disable_ipv6': '0',
  'net.ipv6.conf.all.forwarding': '1',
  'net.ipv6.conf.default.forwarding': '1',
  'net.netfilter.nf_conntrack_max': '131072',
  'vm.max_map_count': '65530',
  'vm.overcommit_memory': '0',
  'vm.panic_on_oom': '0',
  'vm.swappiness': '60',
};

const NAMES = Object.keys(DEFAULTS);

/** /proc/sys: a directory for each part of a parameter's name. It is read-only without CAP_SYS_ADMIN. */
export function parameterEntry(state: State, path: readonly Bytes[]): Entry | undefined {
  const name = path.join('.');
  if (NAMES.includes(name)) {
    return {
      type: 'file',
      mode: 0o644,
      isReadOnly: !mayWrite(state),
      content: () => `${valueOf(state, name)}\n`,
      write: (bytes) => setParameter(state, name, bytes),
    };
  }
  const prefix = name === '' ? '' : `${name}.`;
  const below = NAMES.filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length).split('.')[0]!);
  return below.length === 0 ? undefined : { type: 'directory', names: [...new Set(below)] };
}

function valueOf(state: State, name: string): string {
  const container = state.containers.get(state.current?.container ?? '');
  if (name === 'kernel.osrelease') return kernelOf(state, container?.id ?? '').release;
  if (name === 'kernel.version') return kernelOf(state, container?.id ?? '').version;
  if (name === 'kernel.hostname') return container?.hostname ?? 'localhost';
  return state.parameters.get(name) ?? DEFAULTS[name]!;
}

/** Runtimes mount /proc/sys read-only in containers that are not privileged. */
const mayWrite = (state: State): boolean =>
  state.containers.get(state.current?.container ?? '')?.capabilities.includes('SYS_ADMIN') === true;

function setParameter(state: State, name: string, bytes: Bytes): void {
  if (!mayWrite(state)) throw new SystemError('EROFS');
  state.parameters.set(name, bytes.trim());
}
